//! Parsing of a document, which is JSON or YAML.

use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema::yaml::{self, UnknownTag};

use crate::digits;
use crate::locations::{self, LineColumn};
use crate::node::{Node, Report};
use crate::value::Value;
use crate::{ImportError, Options};

/// Remarks about the text itself.
#[derive(Default)]
pub struct ParseRemarks {
    /// Unknown tags.
    unknown_tags: Vec<UnknownTag>,
    /// First error of a text that starts like JSON, but is YAML.
    json_error: Option<ImportError>,
    /// First invalid but tolerated YAML, with its description.
    tolerated_error: Option<(LineColumn, String)>,
}

impl ParseRemarks {
    /// Reports all of them.
    pub fn report(&self, report: &Report) {
        self.unknown_tags.iter().for_each(|tag| unknown_tag(report, tag));
        if let Some(ImportError::Json { line, column, problem }) = &self.json_error {
            report.note("", format!("not JSON, at line {line}, column {column}: {problem}; it is parsed as YAML"));
        }
        if let Some(((line, column), problem)) = &self.tolerated_error {
            report.note(
                "",
                format!(
                    "invalid YAML at line {line}, column {column}: {problem}; it is parsed like in PyYAML and libyaml"
                ),
            );
        }
    }
}

/// Parses a document: JSON, or else YAML, whose collections in flow style start like JSON.
///
/// # Errors
/// Returns an error if the text is neither, as the one that it starts like, or is YAML beyond the limits of size.
pub fn read(text: &str, options: &Options<'_>) -> Result<(Value, ParseRemarks), ImportError> {
    if !locations::starts_like_json(text) {
        return read_yaml(text, options);
    }
    let error = match serde_json::from_str(text) {
        Ok(mut value) => {
            digits::restore(&mut value, text);
            return Ok((value, ParseRemarks::default()));
        }
        Err(error) => ImportError::Json {
            line: error.line(),
            column: error.column(),
            problem: crate::without_location(&error.to_string()),
        },
    };
    // JSON that cannot be read, for example because of a duplicate key, is not YAML either.
    if locations::is_json(text) {
        return Err(error);
    }
    match read_yaml(text, options) {
        Ok((value, _)) if has_comment(&value) => Err(error),
        Ok((value, remarks)) => Ok((value, ParseRemarks { json_error: Some(error), ..remarks })),
        Err(_) => Err(error),
    }
}

/// Returns whether a text of YAML contains a comment of JSON, which YAML does not know: it is the beginning of the next
/// key or text, or the end of a value.
fn has_comment(value: &Value) -> bool {
    let is_scalar = |text: &str| matches!(text, "true" | "false" | "null") || text.parse::<f64>().is_ok();
    let is_comment = |text: &str| {
        let starts = |text: &str| text.starts_with("//") || text.starts_with("/*");
        let ends = |(value, rest): (&str, &str)| is_scalar(value.trim_end()) && starts(&format!("/{rest}"));
        starts(text) && text.contains('"') || text.split_once('/').is_some_and(ends)
    };
    match value {
        Value::Text(text) => is_comment(text),
        Value::List(items) => items.iter().any(has_comment),
        Value::Object(members) => members.iter().any(|(key, value)| is_comment(key) || has_comment(value)),
        _ => false,
    }
}

/// Parses a YAML document.
fn read_yaml(text: &str, options: &Options<'_>) -> Result<(Value, ParseRemarks), ImportError> {
    let mut sink = Sink::new();
    let document = yaml::parse_document(0, text, options.max_bytes, &mut sink);
    let error = sink.into_sorted().into_iter().next();
    let Some(document) = document.filter(|_| error.is_none()) else {
        let (at, problem) =
            error.map_or((0, "the document is empty".to_owned()), |error| (error.span.start, error.message));
        let (line, column) = locations::line_and_column(text, at as usize);
        return Err(ImportError::Yaml { line, column, problem });
    };
    let leniency = document
        .tolerated_error
        .map(|found| (locations::line_and_column(text, found.span.start as usize), found.problem));
    Ok((
        Value::of_yaml(&document.root),
        ParseRemarks { unknown_tags: document.unknown_tags, json_error: None, tolerated_error: leniency },
    ))
}

/// Reports an unknown tag, which may affect how its value is to be parsed.
fn unknown_tag(report: &Report, UnknownTag { name, path, count }: &UnknownTag) {
    let at: String = path.iter().map(|key| format!("/{}", locations::pointer_segment(key))).collect();
    let others = match count {
        0 | 1 => String::new(),
        2 => ", here and in 1 more place".to_owned(),
        more => format!(", here and in {} more places", more - 1),
    };
    let name = name.escape_debug();
    report.loss(&at, format!("the unknown tag `{name}` is left out{others}"));
}

/// Returns whether a document was generated from a schema.
pub fn is_own(root: &Node<'_>) -> bool {
    root.has("x-wireform-api")
}
