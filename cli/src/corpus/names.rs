//! The names of the APIs of a corpus, in which one title often stands in many documents: those of several versions, or
//! of one in JSON and in YAML.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToKebabCase as _;

/// The most letters of the name of an API.
const MOST_LETTERS: usize = 48;

/// What a name is made of, in the order in which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    /// The document itself says it.
    Document,
    /// The name of its file.
    File,
    /// Its path below the folder.
    Path,
    /// The same with the ending: one document is in JSON and in YAML.
    Ending,
    /// A number, because all of the path is not enough.
    Number,
}

impl Of {
    fn next(self) -> Self {
        match self {
            Self::Document => Self::File,
            Self::File => Self::Path,
            Self::Path => Self::Ending,
            Self::Ending | Self::Number => Self::Number,
        }
    }
}

/// The names of documents of which each is given with its path and the name that it says; nothing for those that say
/// none. Names that several documents would have are made of their files. What else is done, and when, changes nothing.
pub fn of(documents: &[(&str, Option<String>)]) -> Vec<Option<String>> {
    let mut tried: Vec<Of> = vec![Of::Document; documents.len()];
    let mut names: Vec<Option<String>> = documents.iter().map(|(_, own)| own.clone()).collect();
    // A step makes at least one name longer, and none has more than five forms.
    while step(&mut tried, &names) {
        for ((name, of), (path, own)) in names.iter_mut().zip(&tried).zip(documents) {
            *name = own.as_ref().map(|own| made(*of, path, own));
        }
    }
    let numbered = |of: &Of| *of == Of::Number;
    let mut taken: BTreeSet<String> =
        names.iter().zip(&tried).filter(|(_, of)| !numbered(of)).filter_map(|(name, _)| name.clone()).collect();
    for (name, _) in names.iter_mut().zip(&tried).filter(|(_, of)| numbered(of)) {
        if let Some(name) = name {
            *name = free(name, &taken);
            taken.insert(name.clone());
        }
    }
    names
}

/// Lets those that share a name try the next one; false when none has to. One that says its name itself, and is alone
/// with it, keeps it.
fn step(tried: &mut [Of], names: &[Option<String>]) -> bool {
    let mut shared: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate().filter(|(index, _)| tried.get(*index) != Some(&Of::Number)) {
        if let Some(name) = name {
            shared.entry(name).or_default().push(index);
        }
    }
    let mut changed = false;
    for indices in shared.values().filter(|indices| indices.len() > 1) {
        let of = |index: &usize| tried.get(*index).copied().unwrap_or(Of::Number);
        let own = indices.iter().filter(|index| of(index) == Of::Document).count();
        let moves: Vec<usize> = indices.iter().copied().filter(|index| own != 1 || of(index) != Of::Document).collect();
        for index in moves {
            if let Some(of) = tried.get_mut(index) {
                *of = of.next();
                changed = true;
            }
        }
    }
    changed
}

fn made(of: Of, path: &str, own: &str) -> String {
    let (whole, ending) = path.rsplit_once('.').unwrap_or((path, ""));
    match of {
        Of::Document => own.to_owned(),
        Of::File => fit(whole.rsplit('/').next().unwrap_or(whole)),
        Of::Path => fit(whole),
        Of::Ending | Of::Number => fit(&format!("{whole}/{ending}")),
    }
}

/// A name that an API can have. Where a text is too long its end stays, which tells more.
fn fit(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words = plain.to_kebab_case();
    let starts = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase());
    let mut name = words.as_str();
    while name.len() > MOST_LETTERS {
        name = name.split_once('-').map_or(name.get(name.len() - MOST_LETTERS..).unwrap_or_default(), |(_, rest)| rest);
    }
    if starts(name) {
        return name.to_owned();
    }
    let cut: String = format!("api-{name}").chars().take(MOST_LETTERS).collect();
    cut.trim_end_matches('-').to_owned()
}

fn free(name: &str, taken: &BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while taken.contains(&free) {
        let mark = format!("-{number}");
        let stem: String = name.chars().take(MOST_LETTERS - mark.len()).collect();
        free = format!("{}{mark}", stem.trim_end_matches('-'));
        number += 1;
    }
    free
}

#[cfg(test)]
mod tests;
