//! Definitions → files of a readable length.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};

/// The line by which a file that an import wrote is known.
pub const HEADER: &str = "# Imported by Wireform; the descriptions are those of the imported document.\n";

/// The most lines of a file, unless a single definition has more.
const MOST_LINES: usize = 400;

/// What a definition is, by the key of a schema file that it stands under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Resource,
    Enum,
    Operation,
}

impl Kind {
    fn key(self) -> &'static str {
        match self {
            Self::Resource => "resources",
            Self::Enum => "enums",
            Self::Operation => "operations",
        }
    }
}

/// A definition, and where it belongs.
pub struct Item {
    /// The start of the names of the files that it can stand in.
    pub bucket: String,
    /// The definition that it stands beside: itself, or the one that it is a part of.
    pub owner: String,
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// What is said of it.
    pub body: Mapping,
}

/// The text of a file.
///
/// # Errors
/// When it cannot be written as YAML.
pub fn text(file: &Mapping) -> Result<String, serde_yaml::Error> {
    Ok(format!("{HEADER}{}", serde_yaml::to_string(file)?))
}

/// The files of all definitions, by name.
///
/// # Errors
/// When one cannot be written as YAML.
pub fn split(mut items: Vec<Item>) -> Result<BTreeMap<String, String>, serde_yaml::Error> {
    items.sort_by(|a, b| (&a.bucket, &a.owner, a.kind, &a.name).cmp(&(&b.bucket, &b.owner, b.kind, &b.name)));
    let mut files = BTreeMap::new();
    let mut items = items.into_iter().peekable();
    while let Some(bucket) = items.peek().map(|item| item.bucket.clone()) {
        let mut chunks: Vec<Vec<Item>> = vec![Vec::new()];
        let mut lines = 0;
        while let Some(item) = items.next_if(|item| item.bucket == bucket) {
            let own = serde_yaml::to_string(&item.body)?.lines().count() + 1;
            if lines + own > MOST_LINES && lines > 0 {
                chunks.push(Vec::new());
                lines = 0;
            }
            lines += own;
            if let Some(chunk) = chunks.last_mut() {
                chunk.push(item);
            }
        }
        let several = chunks.len() > 1;
        for (index, chunk) in chunks.into_iter().enumerate() {
            let name = if several { format!("{bucket}-{:02}.yaml", index + 1) } else { format!("{bucket}.yaml") };
            files.insert(name, text(&file(chunk))?);
        }
    }
    Ok(files)
}

fn file(items: Vec<Item>) -> Mapping {
    let mut sections: BTreeMap<Kind, Mapping> = BTreeMap::new();
    for item in items {
        sections.entry(item.kind).or_default().insert(Value::String(item.name), Value::Mapping(item.body));
    }
    sections.into_iter().map(|(kind, section)| (Value::from(kind.key()), Value::Mapping(section))).collect()
}

/// Writes a key, unless there is nothing to say.
pub fn put(mapping: &mut Mapping, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        mapping.insert(Value::from(key), value.into());
    }
}
