//! Names of the APIs of a corpus, in which many documents can have the same title: several versions, or one document in
//! JSON and in YAML.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToKebabCase as _;

/// Maximum length of the name of an API.
const MAX_LETTERS: usize = 48;

/// Source of a name, in the order in which sources are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameSource {
    /// Title of the document.
    Document,
    /// File name.
    File,
    /// Path below the folder.
    Path,
    /// Path with the extension, for documents in JSON and in YAML.
    Extension,
    /// Path with a number.
    Number,
}

impl NameSource {
    fn next(self) -> Self {
        match self {
            Self::Document => Self::File,
            Self::File => Self::Path,
            Self::Path => Self::Extension,
            Self::Extension | Self::Number => Self::Number,
        }
    }
}

/// Returns a unique name for each document, given its path and its own name; `None` for documents without a name. Names
/// that several documents share are derived from their file names. The result depends only on this list.
pub fn unique_names(documents: &[(&str, Option<String>)]) -> Vec<Option<String>> {
    let mut tried: Vec<NameSource> = vec![NameSource::Document; documents.len()];
    let mut names: Vec<Option<String>> = documents.iter().map(|(_, own)| own.clone()).collect();
    // Each step advances at least one document to its next source, of which there are five.
    while step(&mut tried, &names) {
        for ((name, of), (path, own)) in names.iter_mut().zip(&tried).zip(documents) {
            *name = own.as_ref().map(|own| generate(*of, path, own));
        }
    }
    let numbered = |of: &NameSource| *of == NameSource::Number;
    let mut taken: BTreeSet<String> =
        names.iter().zip(&tried).filter(|(_, of)| !numbered(of)).filter_map(|(name, _)| name.clone()).collect();
    for (name, _) in names.iter_mut().zip(&tried).filter(|(_, of)| numbered(of)) {
        if let Some(name) = name {
            *name = number_name(name, &taken);
            taken.insert(name.clone());
        }
    }
    names
}

/// Advances documents that share a name to the next source, and returns false if there are none. A document that is
/// alone with its own name keeps it.
fn step(tried: &mut [NameSource], names: &[Option<String>]) -> bool {
    let mut shared: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate().filter(|(index, _)| tried.get(*index) != Some(&NameSource::Number)) {
        if let Some(name) = name {
            shared.entry(name).or_default().push(index);
        }
    }
    let mut changed = false;
    for indices in shared.values().filter(|indices| indices.len() > 1) {
        let of = |index: &usize| tried.get(*index).copied().unwrap_or(NameSource::Number);
        let own = indices.iter().filter(|index| of(index) == NameSource::Document).count();
        let moves: Vec<usize> =
            indices.iter().copied().filter(|index| own != 1 || of(index) != NameSource::Document).collect();
        for index in moves {
            if let Some(of) = tried.get_mut(index) {
                *of = of.next();
                changed = true;
            }
        }
    }
    changed
}

fn generate(of: NameSource, path: &str, own: &str) -> String {
    let (stem, ending) = path.rsplit_once('.').unwrap_or((path, ""));
    match of {
        NameSource::Document => own.to_owned(),
        NameSource::File => to_api_name(stem.rsplit('/').next().unwrap_or(stem)),
        NameSource::Path => to_api_name(stem),
        NameSource::Extension | NameSource::Number => to_api_name(&format!("{stem}/{ending}")),
    }
}

/// Converts a text to a valid name of an API. Where the text is too long its end is kept, which is more specific.
fn to_api_name(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words = plain.to_kebab_case();
    let starts = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase());
    let mut name = words.as_str();
    while name.len() > MAX_LETTERS {
        name = name.split_once('-').map_or(name.get(name.len() - MAX_LETTERS..).unwrap_or_default(), |(_, rest)| rest);
    }
    if starts(name) {
        return name.to_owned();
    }
    let cut: String = format!("api-{name}").chars().take(MAX_LETTERS).collect();
    cut.trim_end_matches('-').to_owned()
}

fn number_name(name: &str, taken: &BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while taken.contains(&free) {
        let mark = format!("-{number}");
        let stem: String = name.chars().take(MAX_LETTERS - mark.len()).collect();
        free = format!("{}{mark}", stem.trim_end_matches('-'));
        number += 1;
    }
    free
}

#[cfg(test)]
mod tests;
