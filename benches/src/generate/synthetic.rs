//! Synthetic schemas of any size, made of copies of the repository's own.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context as _;
use fs_err as fs;
use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema::write::Write as _;
use wireform_codegen::schema::{self, File, Named};
use wireform_codegen::{Source, resolve, with_includes};

/// Schema of one API: its folder's name, and the name and text of each file.
pub struct Schema {
    name: String,
    files: Vec<(String, String)>,
}

/// Reads all schemas of a folder.
pub fn read(folder: &Path) -> anyhow::Result<Vec<Schema>> {
    let mut schemas = Vec::new();
    for api in sorted(folder)?.iter().filter(|path| path.is_dir()) {
        schemas.push(Schema { name: name(api)?, files: written_out(api)? });
    }
    Ok(schemas)
}

/// Prefix of rule ids, which takes the place of the tag.
const TAG: &str = "tag__";

/// Returns the files of an API, including included ones, with the parts that operations share inlined, so that only
/// names of definitions and operations distinguish copies.
fn written_out(api: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let read = |path: &std::path::PathBuf| anyhow::Ok(Source::from_bytes(path.to_string_lossy(), &fs::read(path)?));
    let sources = sorted(api)?.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let sources = with_includes(sources, |path| anyhow::Ok(Some(fs::read(path)?)))?;
    let mut sink = Sink::new();
    let mut files = resolve::expand(schema::read_files(&sources, &mut sink), &mut sink).files;
    merge_standard(&mut files);
    anyhow::ensure!(files.len() == sources.len() && !sink.has_errors(), "the schema in `{}` has errors", api.display());
    let text = |(source, file): (&Source, File)| Ok((name(Path::new(&source.path))?, format!("\n{}", plain(file))));
    sources.iter().zip(files).map(text).collect()
}

/// Merges the standard parameters into one set in the file of the API. Operations of copies reference it explicitly, so
/// that its parameters have no roles.
fn merge_standard(files: &mut [File]) {
    let names: Vec<String> =
        files.iter().flat_map(|file| &file.standard_parameters).map(|name| name.text.clone()).collect();
    let mut merged = Named::default();
    for file in files.iter_mut() {
        let sets = std::mem::take(&mut file.parameter_sets);
        for (name, set) in sets.0 {
            if names.contains(&name.text) {
                merged.0.extend(set.0);
            } else {
                file.parameter_sets.0.push((name, set));
            }
        }
    }
    merged.0.iter_mut().for_each(|(_, parameter)| parameter.role = None);
    if let Some(file) = files.iter_mut().find(|file| file.api.is_some()) {
        file.parameter_sets.push("standard", merged);
    }
}

/// Formats a file without the parts that its operations share.
fn plain(mut file: File) -> String {
    for (_, operation) in &mut file.operations.0 {
        operation.error_sets.clear();
        operation.rule_sets.clear();
        operation.rules.iter_mut().for_each(|rule| rule.id.text.insert_str(0, TAG));
    }
    for (_, resource) in &mut file.resources.0 {
        resource.rules.iter_mut().for_each(|rule| rule.id.text.insert_str(0, TAG));
    }
    let file = File {
        include: Vec::new(),
        standard_errors: Vec::new(),
        error_sets: Named::default(),
        rule_sets: Named::default(),
        path_parameters: Named::default(),
        origin: None,
        origins: Named::default(),
        ..file
    };
    schema::text::format_file(&file.write())
}

fn sorted(folder: &Path) -> anyhow::Result<Vec<std::path::PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> anyhow::Result<String> {
    Ok(path.file_name().context("no name")?.to_string_lossy().into_owned())
}

/// Writes copies of every schema, each copy as an API of its own.
pub fn write_apis(schemas: &[Schema], copies: usize, to: &Path) -> anyhow::Result<()> {
    for schema in schemas {
        for copy in 0..copies {
            let api = format!("{}{copy}", schema.name);
            let folder = to.join(&api);
            fs::create_dir_all(&folder)?;
            for (file, text) in &schema.files {
                let text = text.replace(&format!("\napi: {}\n", schema.name), &format!("\napi: {api}\n"));
                fs::write(folder.join(file), text)?;
            }
        }
    }
    Ok(())
}

/// Writes copies of every schema into one API. Their definitions, operations, rules and paths are distinguished by a
/// tag; API-wide keys are those of the first schema.
pub fn write_one_api(schemas: &[Schema], copies: usize, to: &Path) -> anyhow::Result<()> {
    let folder = to.join("whole");
    fs::create_dir_all(&folder)?;
    let mut head = Head::default();
    for copy in 0..copies {
        for schema in schemas {
            let tag = format!("{}{copy}", schema.name.get(..1).unwrap_or_default());
            let names = defined_names(schema);
            for (file, text) in &schema.files {
                let definitions = head.take(&retagged(text, &names, &tag), &tag);
                if !definitions.is_empty() {
                    fs::write(folder.join(format!("{tag}-{file}")), definitions)?;
                }
            }
        }
    }
    fs::write(folder.join("api.yaml"), head.into_text())?;
    Ok(())
}

/// Returns the sections of a file: its lines from one that is not indented to the next.
fn sections(text: &str) -> Vec<(&str, String)> {
    let mut sections: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match line.split_once(':') {
            Some((key, _)) if line.starts_with(|c: char| c.is_ascii_lowercase()) => sections.push((key, String::new())),
            _ => {}
        }
        if let Some((_, body)) = sections.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    sections
}

/// Returns the names in a section, which are its keys: indented by two.
fn keys(section: &str) -> impl Iterator<Item = &str> {
    let inner = section.lines().filter_map(|line| line.strip_prefix("  "));
    inner.filter(|line| !line.starts_with([' ', '#'])).filter_map(|line| line.split(':').next())
}

fn defined_names(schema: &Schema) -> BTreeSet<String> {
    let texts = schema.files.iter().flat_map(|(_, text)| sections(text));
    let definitions =
        texts.filter(|(key, _)| matches!(*key, "resources" | "enums" | "unions" | "operations" | "parameter_sets"));
    definitions.flat_map(|(_, body)| keys(&body).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Returns the text with the tag at every name that it defines: `Event` becomes `EventC0`, `events.insert`
/// `c0events.insert`, and the path `/calendars` is below `/c0`.
fn retagged(text: &str, names: &BTreeSet<String>, tag: &str) -> String {
    let is_part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut tagged = String::with_capacity(text.len() * 9 / 8);
    let mut rest = text;
    while let Some(start) = rest.find(is_part_of_name) {
        let (between, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_part_of_name(c)).unwrap_or(from.len()));
        tagged.push_str(between);
        match names.contains(word) {
            true if word.starts_with(|c: char| c.is_ascii_uppercase()) => {
                tagged.push_str(&format!("{word}{}", tag.to_uppercase()))
            }
            true => tagged.push_str(&format!("{tag}{word}")),
            false => tagged.push_str(word),
        }
        rest = after;
    }
    tagged.push_str(rest);
    tagged = tagged.replace(TAG, tag);
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        tagged = tagged.replace(&format!(" {method} /"), &format!(" {method} /{tag}/"));
    }
    tagged
}

/// Adds a parameter set to every operation.
fn with_parameter_set(section: &str, set: &str) -> String {
    let mut text = String::with_capacity(section.len() * 9 / 8);
    let mut operation: Vec<&str> = Vec::new();
    let mut finish = |operation: &mut Vec<&str>| {
        let list = "    parameters: [";
        let has_list = operation.iter().any(|line| line.starts_with(list));
        for line in operation.drain(..) {
            text.push_str(&line.replace(list, &format!("{list}{set}, ")));
            text.push('\n');
            // Every operation has this line.
            if !has_list && line.starts_with("    http:") {
                text.push_str(&format!("{list}{set}]\n"));
            }
        }
    };
    for line in section.lines() {
        if line.starts_with("  ") && !line.starts_with("   ") {
            finish(&mut operation);
        }
        operation.push(line);
    }
    finish(&mut operation);
    text
}

/// API-wide keys, gathered from all copies.
#[derive(Default)]
struct Head {
    /// Sections that an API has once.
    once: String,
    scopes: String,
    parameter_sets: String,
    known: BTreeSet<String>,
}

impl Head {
    /// Moves the API-wide keys out of a file and returns the rest, its definitions.
    fn take(&mut self, text: &str, tag: &str) -> String {
        let first = self.once.is_empty();
        let mut definitions = String::new();
        for (key, body) in sections(text) {
            match key {
                "operations" => definitions.push_str(&with_parameter_set(&body, &format!("{tag}standard"))),
                "resources" | "enums" | "unions" => definitions.push_str(&body),
                "scopes" => self.add_scopes(&body),
                "parameter_sets" => self.parameter_sets.push_str(body.split_once('\n').map_or("", |(_, inner)| inner)),
                "api" if first => self.once.push_str("api: whole\n"),
                // Every copy has its own set, to which its operations refer.
                "standard_parameters" => {}
                _ if first => self.once.push_str(&body),
                _ => {}
            }
        }
        // Only the resource of the first copy is named under `errors`; the others would cause warnings.
        let errors = format!("  ErrorResponse{}:\n", tag.to_uppercase());
        definitions.replace(&errors, &format!("{errors}    external: true\n"))
    }

    /// Adds new scopes; the copies share them, and two APIs can have the same one.
    fn add_scopes(&mut self, section: &str) {
        let mut preferred = false;
        for line in section.lines().skip(1) {
            if line.starts_with("  ") && !line.starts_with("   ") {
                preferred = self.known.insert(line.split(':').next().unwrap_or_default().to_owned());
            }
            if preferred {
                self.scopes.push_str(line);
                self.scopes.push('\n');
            }
        }
    }

    fn into_text(self) -> String {
        format!("{}\nscopes:\n{}\nparameter_sets:\n{}", self.once, self.scopes, self.parameter_sets)
    }
}
