//! API-wide definitions.

use wireform_codegen::schema::behavior::Presence;
use wireform_codegen::schema::file::{Errors, File};
use wireform_codegen::schema::types::TypeExpr;

use super::document_error;
use super::importer::Importer;
use super::view::view;
use super::{reimport, servers};
use crate::ImportError;
use crate::lowering::text;
use crate::names;
use crate::node::Node;
use crate::prose;

/// Known keys of the document's root; others are reported.
const KEYS: [&str; 12] = [
    "components",
    "externalDocs",
    "info",
    "jsonSchemaDialect",
    "openapi",
    "paths",
    "security",
    "servers",
    "tags",
    "webhooks",
    "$self",
    "$schema",
];

/// Returns the name of the API: its title, without generic words. Without a title that contains a name, it is derived from
/// the name of the document's file.
pub fn name(root: &Node<'_>, file: Option<&str>) -> Result<String, ImportError> {
    if let Some(name) = reimport::name(root).filter(|name| is_name(name)) {
        return Ok(name.to_owned());
    }
    let info = root.get("info");
    let title = info.as_ref().and_then(|info| info.text_if("title"));
    let (at, problem) = match (&info, title) {
        (_, Some(title)) if is_name(&name_of_title(title).0) => return Ok(name_from_title(title, info.as_ref())),
        (_, Some(title)) => {
            ("/info/title", format!("the title `{}` contains no name of the API", title.escape_debug()))
        }
        (Some(_), None) => ("/info/title", "missing title of the API".to_owned()),
        (None, None) => ("/info", "missing `info` of the API".to_owned()),
    };
    let (name, origin) = match file.and_then(name_of_file) {
        Some(name) => (name, " after the file"),
        // Letters of other alphabets do not occur in names.
        None if title.is_some_and(|title| title.chars().any(char::is_alphabetic)) => ("api".to_owned(), ""),
        None => {
            return Err(document_error(at, format!("{problem}; add a title with ASCII letters, or pass `--name`")));
        }
    };
    let note = format!("{problem}; the API is named `{name}`{origin}; `--name` sets another name");
    info.as_ref().unwrap_or(root).note(note);
    Ok(name)
}

/// Returns the name derived from that of a file without its extension, which can be a number.
pub fn name_of_file(file: &str) -> Option<String> {
    let name = name_of_title(file).0;
    let number = || Some(format!("api-{}", names::kebab(file))).filter(|_| file.contains(|c: char| c.is_ascii_digit()));
    Some(name).filter(|name| is_name(name)).or_else(number).filter(|name| is_name(name))
}

/// Returns the name in a title, and reports what it leaves out.
fn name_from_title(title: &str, info: Option<&Node<'_>>) -> String {
    let (name, is_whole) = name_of_title(title);
    if !is_whole {
        let title = title.escape_debug();
        let report =
            format!("the title `{title}` of the API is shortened to the name `{name}`; `--name` sets another one");
        info.and_then(|info| info.get("title")).iter().for_each(|title| title.note(report.as_str()));
    }
    name
}

/// Words of titles that describe the document, and not the API.
const GENERIC_WORDS: [&[&str]; 9] = [
    &["api"],
    &["apis"],
    &["ap", "is"],
    &["rest"],
    &["open"],
    &["spec"],
    &["specification"],
    &["documentation"],
    &["reference"],
];

/// Words that must not end a truncated name.
const CONNECTING_WORDS: [&str; 7] = ["and", "for", "from", "in", "of", "the", "with"];

/// Maximum length of the name of an API that is derived from its title.
const MAX_LETTERS: usize = 30;

/// Returns the name derived from a title, and whether it is complete.
pub fn name_of_title(title: &str) -> (String, bool) {
    let title = title.replace("'s ", " ").replace("’s ", " ");
    let kebab = names::kebab(&title);
    let mut words: Vec<&str> = kebab.split('-').collect();
    if words.len() > 1 && words[0] == "the" {
        words.remove(0);
    }
    let mut is_cut = names::is_truncated(&title);
    strip_generic_words(&mut words);
    while words.len() > 1 && words.iter().map(|word| word.len() + 1).sum::<usize>() > MAX_LETTERS + 1 {
        is_cut = true;
        words.pop();
        strip_generic_words(&mut words);
    }
    while is_cut && words.len() > 1 && words.last().is_some_and(|word| CONNECTING_WORDS.contains(word)) {
        words.pop();
    }
    let plain = words.join("-");
    let name = plain.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    let is_whole = name == plain && !is_cut && !title.chars().any(|c| c.is_alphanumeric() && !c.is_ascii());
    (name.to_owned(), is_whole)
}

/// Removes trailing words that describe the document, but never the first word.
fn strip_generic_words(words: &mut Vec<&str>) {
    while let Some(ending) = GENERIC_WORDS.iter().find(|ending| words.len() > ending.len() && words.ends_with(ending)) {
        words.truncate(words.len() - ending.len());
    }
}

/// Returns whether a text is valid as the name of an API.
pub fn is_name(name: &str) -> bool {
    wireform_codegen::resolve::names::is_api_name(name)
}

/// Creates the file of the API.
pub fn write(importer: &mut Importer<'_>, name: &str, errors: Option<&str>) -> File {
    let root = &importer.root.clone();
    root.report_unknown(&KEYS);
    let mut file = File { api: text(Some(name)), ..File::default() };
    if let Some(info) = root.get("info") {
        info.report_unknown(&["contact", "description", "license", "summary", "termsOfService", "title", "version"]);
        file.version = text(info.scalar("version").as_deref().and_then(prose::paragraph));
        file.title = text(info.text("title").and_then(prose::paragraph));
        file.doc = text(info.prose("description").or_else(|| info.prose("summary")));
    }
    servers::write(root, importer.is_generated, &mut file);
    file.errors =
        if importer.is_generated { reimport::errors(root) } else { errors.map(|body| self::errors(importer, body)) };
    read_unused_parts(root, importer.is_generated);
    if importer.is_generated {
        reimport::api(root, &mut file);
        reimport::standard(importer, &mut file);
    } else {
        // JSON Schema distinguishes empty lists from absent ones.
        file.presence = Some(Presence::Explicit.into());
    }
    importer.security.write(&mut file);
    file
}

/// Returns the error format of every operation, with this body.
fn errors(importer: &Importer<'_>, body: &str) -> Errors {
    Errors { body: TypeExpr::named(body), message: text(message(importer, body)), ..Errors::default() }
}

/// Reads the top-level parts that do not map to a part of the file alone.
fn read_unused_parts(root: &Node<'_>, is_own: bool) {
    if let Some(node) = root.get("webhooks") {
        node.whole_loss("left out: requests sent by a server (callbacks and webhooks) are not supported");
    }
    for tag in root.list("tags") {
        tag.report_unknown(&["description", "externalDocs", "name"]);
        tag.text("name");
        if tag.text("description").is_some() && !is_own {
            tag.note("its description is left out: groups of operations have no description");
        }
    }
    if let Some(components) = root.get("components") {
        components.report_unknown(&[
            "callbacks",
            "examples",
            "headers",
            "links",
            "parameters",
            "pathItems",
            "requestBodies",
            "responses",
            "schemas",
            "securitySchemes",
        ]);
    }
}

/// Returns the member of an error with the human-readable message.
fn message(importer: &Importer<'_>, body: &str) -> Option<String> {
    let root = &importer.root;
    let schemas = root.get("components")?.entries("schemas");
    let is_body =
        |id: &str| matches!(importer.targets.get(id), Some(super::importer::Target::Named(name)) if name == body);
    let (_, node) = schemas.into_iter().find(|(id, _)| is_body(id))?;
    let members = view(root, std::slice::from_ref(&node)).properties;
    let is_text = |name: &str| {
        let found = members.iter().find(|(own, _)| *own == name);
        found.is_some_and(|(_, nodes)| {
            let member = view(root, nodes);
            member.kind() == Some(super::view::Kind::Text) && member.values.is_none() && member.text("format").is_none()
        })
    };
    let names = ["message", "detail", "error_description", "error_message", "errorMessage"];
    let found = names.into_iter().find(|name| is_text(name))?;
    let what = format!("`{found}` is the message of an error, by its name");
    node.guess(what, "off", "change: { errors: { message: null } }");
    Some(found.to_owned())
}
