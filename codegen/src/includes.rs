//! Files that an API includes from outside its folder, and the check that they exist.

use crate::diagnostics::{Code, Sink, Source};
use crate::schema::yaml::{self, Value};
use crate::schema::{File, Text};

/// Adds the included files to the sources of an API, each once. `read` returns the bytes of the file at a path
/// relative to the folder of the sources' paths, or `None` if the file does not exist. Missing files are reported
/// when the sources are parsed.
///
/// # Errors
/// Returns an error if `read` fails.
pub fn with_includes<E>(
    mut sources: Vec<Source>,
    mut read: impl FnMut(&str) -> Result<Option<Vec<u8>>, E>,
) -> Result<Vec<Source>, E> {
    let mut next = 0;
    while let Some(source) = sources.get(next) {
        next += 1;
        for path in included_paths(source) {
            if sources.iter().any(|source| normalize(&source.path) == path) {
                continue;
            }
            if let Some(bytes) = read(&path)? {
                sources.push(Source::from_bytes(path, &bytes));
            }
        }
    }
    Ok(sources)
}

/// Returns the paths of the files that a source includes. Syntax errors are reported elsewhere.
fn included_paths(source: &Source) -> Vec<String> {
    if !source.text.contains("include") {
        return Vec::new();
    }
    let node = yaml::parse(0, &source.text, &mut Sink::new());
    let list = node.as_ref().and_then(|node| node.get("include")).map(|node| &node.value);
    let Some(Value::List(items)) = list else { return Vec::new() };
    items.iter().filter_map(|item| Some(resolve_include(&source.path, item.text()?))).collect()
}

/// Returns the path of a file that another one includes.
fn resolve_include(from: &str, path: &str) -> String {
    match from.rsplit_once(['/', '\\']) {
        Some((folder, _)) => normalize(&format!("{folder}/{path}")),
        None => normalize(path),
    }
}

/// Normalizes a path: removes `.` and resolves `..`, so that each file has one path.
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for (at, part) in path.split(['/', '\\']).enumerate() {
        let is_folder = parts.last().is_some_and(|last| !matches!(*last, "" | ".."));
        match part {
            "." => {}
            "" if at > 0 => {}
            ".." if is_folder => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Reports includes of files that do not exist.
pub fn check_includes(files: &[File], sources: &[Source], sink: &mut Sink) {
    for file in files {
        let Some(from) = sources.get(file.span.file as usize) else { continue };
        for include in &file.include {
            report_missing(include, &from.path, sources, sink);
        }
    }
}

fn report_missing(include: &Text, from: &str, sources: &[Source], sink: &mut Sink) {
    let text = include.text.escape_debug();
    if include.text.starts_with('/') || include.text.contains(['\\', ':']) {
        sink.report(Code::BadInclude, include.span, format!("`{text}` is not a relative path to another file"))
            .help("write a path relative to this file, with forward slashes: `../errors.yaml`");
    } else if !include.text.contains('/') {
        sink.report(Code::BadInclude, include.span, format!("`{text}` is already part of the API"))
            .help("remove the include: every file in the folder of an API is part of it");
    } else if !sources.iter().any(|source| normalize(&source.path) == resolve_include(from, &include.text)) {
        sink.report(Code::BadInclude, include.span, format!("file `{text}` not found"))
            .help("correct the path, which is relative to this file");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sources: &[(&str, &str)]) -> Vec<String> {
        let sources = sources.iter().map(|(path, text)| Source::new(*path, *text)).collect();
        let files = [("b.yaml", "include: [c/d.yaml, ./b.yaml]"), ("c/d.yaml", "include: [../b.yaml, ../a/x.yaml]")];
        let read = |path: &str| -> Result<Option<Vec<u8>>, std::convert::Infallible> {
            Ok(files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_bytes().to_vec()))
        };
        let Ok(sources) = with_includes(sources, read);
        sources.into_iter().map(|source| source.path).collect()
    }

    #[test]
    fn a_file_is_read_once_and_what_it_includes_as_well() {
        assert_eq!(
            read(&[("a/x.yaml", "include: [../b.yaml]"), ("a/y.yaml", "api: y")]),
            ["a/x.yaml", "a/y.yaml", "b.yaml", "c/d.yaml"]
        );
        assert_eq!(
            read(&[("./a/x.yaml", "include: [../a/x.yaml, ../c/../b.yaml]")]),
            ["./a/x.yaml", "b.yaml", "c/d.yaml"]
        );
    }

    #[test]
    fn a_path_has_one_form() {
        for (path, expected) in
            [("./a//b/../c", "a/c"), ("../a/../../b", "../../b"), ("/a/../b", "/b"), ("a\\b", "a/b")]
        {
            assert_eq!(normalize(path), expected, "{path}");
        }
    }
}
