//! Settings file of a repository that generates code: `wireform.yaml`.
//!
//! This module only parses the text; the caller finds the file and resolves relative folders.

use crate::diagnostics::{Code, Diagnostic, Sink, Source, Span};
use crate::options::{Options, RuntimeDependency, Setting};
use crate::schema::read::{Located, Read as _, Text};
use crate::schema::shape::shape;
use crate::schema::yaml;

/// Name of the settings file.
pub const SETTINGS_FILE: &str = "wireform.yaml";

shape! {
    /// The settings of a repository that uses the generator, in a file `wireform.yaml` in the current folder or one of
    /// its parents. Command line flags take precedence.
    SettingsFile "settings file" {
        /// The folder that contains a folder of schema files for each API, relative to this file; default `schemas`.
        schemas "schemas": Option<Text> = "api/schemas";
        /// The output folder, which the generator owns, relative to this file; default `generated`.
        out "out": Option<Text> = "crates/generated";
        /// The prefix of the names of the generated crates.
        prefix "prefix": Option<Text> = "acme-";
        /// The version of the generated crates; default `0.1.0`.
        version "version": Option<Text> = "1.2.0";
        /// The license of the generated crates; by default none.
        license "license": Option<Text> = "MIT";
        /// How the generated crates depend on the runtime; by default by version, from a registry.
        runtime "runtime": Option<RuntimeSetting> = "{ path: ../wireform/runtime }";
        /// The maximum number of lines in a Rust file; a longer file is split by groups, operations and resources.
        max_lines "max_lines": Option<Located<i128>> = "2000";
        /// The maximum number of operations of a group in one file; a larger group is split by common name prefixes.
        max_operations "max_operations": Option<Located<i128>> = "50";
    }
}

shape! {
    /// How the generated crates depend on the runtime: one of `version`, `path` and `git`.
    RuntimeSetting "runtime" {
        /// The version in a registry.
        version "version": Option<Text> = "'0.1'";
        /// The folder of the runtime, relative to this file.
        path "path": Option<Text> = "../wireform/runtime";
        /// The URL of a git repository.
        git "git": Option<Text> = "https://git.example.com/wireform";
        /// The revision in the git repository; by default its default branch.
        rev "rev": Option<Text> = "4e0c172";
    }
}

/// Parsed settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Folder of schemas, relative to the folder of the file.
    pub schemas: String,
    /// Output folder, relative to the folder of the file.
    pub out: String,
    /// Options of the output. A path to the runtime is relative to the folder of the file, not to that of a generated
    /// crate.
    pub options: Options,
    /// Span of the runtime setting, for errors that only an access to the file system finds.
    pub runtime_span: Option<Span>,
}

impl Settings {
    /// Creates the diagnostic of an invalid runtime at the span of the setting.
    #[must_use]
    pub fn runtime_diagnostic(&self, message: &str, help: &str) -> Option<Diagnostic> {
        let mut sink = Sink::new();
        sink.report(Code::BadScalar, self.runtime_span?, message).help(help);
        sink.into_sorted().pop()
    }
}

/// Parses a settings file.
///
/// # Errors
/// Returns all diagnostics, in the order of the lines, if the file is invalid.
pub fn parse_settings(source: &Source) -> Result<Settings, Vec<Diagnostic>> {
    let mut sink = Sink::new();
    let read = yaml::parse(0, &source.text, &mut sink).and_then(|node| SettingsFile::read(&node, &mut sink));
    let settings = read.and_then(|file| file.resolve(&mut sink));
    match settings {
        Some(settings) if !sink.has_errors() => Ok(settings),
        _ => Err(sink.into_sorted()),
    }
}

impl SettingsFile {
    /// Applies the defaults and checks the values; `None` after reporting an invalid one.
    fn resolve(self, sink: &mut Sink) -> Option<Settings> {
        let defaults = Options::default();
        let span = |text: &Option<Text>| text.as_ref().map(|text| text.span);
        let runtime_span = self.runtime.as_ref().map(RuntimeSetting::value_span);
        let places = [
            (Setting::Prefix, span(&self.prefix)),
            (Setting::Version, span(&self.version)),
            (Setting::License, span(&self.license)),
            (Setting::Runtime, runtime_span),
        ];
        let runtime = match self.runtime {
            Some(runtime) => runtime.resolve(sink)?,
            None => defaults.runtime,
        };
        let text = |text: Option<Text>| text.map(|text| text.text);
        let options = Options {
            prefix: text(self.prefix).unwrap_or(defaults.prefix),
            version: text(self.version).unwrap_or(defaults.version),
            license: text(self.license),
            runtime,
            max_lines: positive_count(self.max_lines, defaults.max_lines, sink),
            max_operations: positive_count(self.max_operations, defaults.max_operations, sink),
        };
        if let Err((setting, problem)) = options.check_each() {
            let place = places.into_iter().find(|(one, _)| *one == setting).and_then(|(_, span)| span);
            sink.report(Code::BadName, place.unwrap_or(self.span), problem);
            return None;
        }
        let folder = |text: Option<Text>, default: &str| text.map_or_else(|| default.to_owned(), |text| text.text);
        let (schemas, out) = (folder(self.schemas, "schemas"), folder(self.out, "generated"));
        Some(Settings { schemas, out, options, runtime_span })
    }
}

impl RuntimeSetting {
    /// Returns the span of the path, the URL or the version.
    fn value_span(&self) -> Span {
        self.path.as_ref().or(self.git.as_ref()).or(self.version.as_ref()).map_or(self.span, |text| text.span)
    }

    /// Returns the source of the runtime crates; reports more than one source, and a `rev` without `git`.
    fn resolve(self, sink: &mut Sink) -> Option<RuntimeDependency> {
        if let (Some(rev), None) = (&self.rev, &self.git) {
            sink.report(Code::BadScalar, rev.span, "`rev` requires `git`");
            return None;
        }
        match (self.version, self.path, self.git) {
            (Some(version), None, None) => Some(RuntimeDependency::Version(version.text)),
            (None, Some(path), None) => Some(RuntimeDependency::Path(path.text)),
            (None, None, Some(git)) => {
                Some(RuntimeDependency::Git { url: git.text, rev: self.rev.map(|rev| rev.text) })
            }
            _ => {
                sink.report(Code::BadScalar, self.span, "the runtime has more than one source")
                    .help("set only one of `version`, `path` and `git`");
                None
            }
        }
    }
}

/// Returns a count, which is at least one.
fn positive_count(value: Option<Located<i128>>, default: usize, sink: &mut Sink) -> usize {
    let Some(value) = value else { return default };
    match usize::try_from(value.value) {
        Ok(count) if count > 0 => count,
        _ => {
            sink.report(Code::BadScalar, value.span, format!("`{}` is not a positive integer", value.value))
                .help("write an integer of at least 1");
            default
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, String> {
        let source = Source::new("wireform.yaml", text);
        parse_settings(&source).map_err(|diagnostics| {
            let shown = diagnostics.iter().map(|one| one.render(std::slice::from_ref(&source), false));
            shown.collect::<Vec<_>>().join("\n")
        })
    }

    #[test]
    fn what_is_not_set_has_its_default() {
        let settings =
            read("prefix: acme-\nruntime: { git: 'https://git.example.com/w', rev: abc }").expect("it is read");
        assert_eq!((settings.schemas.as_str(), settings.out.as_str()), ("schemas", "generated"));
        let runtime = RuntimeDependency::Git { url: "https://git.example.com/w".into(), rev: Some("abc".into()) };
        assert_eq!(settings.options, Options { prefix: "acme-".into(), runtime, ..Options::default() });
    }

    #[test]
    fn every_error_has_a_span() {
        for (text, place, message) in [
            ("schema: x", "1:1", "did you mean `schemas`?"),
            ("schemas: a\nschemas: b", "2:1", "schemas"),
            ("prefix: Acme", "1:9", "`Acme` is not a valid prefix"),
            ("runtime: { path: a, git: b }", "1:10", "set only one of `version`, `path` and `git`"),
            ("runtime: {}", "1:10", "the runtime has more than one source"),
            ("runtime: { rev: a }", "1:17", "`rev` requires `git`"),
            ("prefix: acme-\nlicense: 'a\"b'", "2:10", "is not a valid license"),
            ("prefix: acme-\nruntime: { path: 'a\"b' }", "2:18", "is not a valid path"),
            ("runtime: ../wireform/runtime", "1:10", "help: write `runtime: { path: ../wireform/runtime }`"),
            ("runtime: 0.1", "1:10", "help: write `runtime: { version: '0.1' }`"),
            ("runtime: https://git.example.com/w", "1:10", "{ git: 'https://git.example.com/w' }`"),
            ("output: made", "1:1", "help: write `out:`"),
            ("max_lines: 0", "1:12", "`0` is not a positive integer"),
            ("- a", "1:1", ""),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(&format!("wireform.yaml:{place}")) && error.contains(message), "{text}: {error}");
        }
    }
}
