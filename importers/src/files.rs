//! Division of definitions into files of a readable length.
//!
//! Operations are split by their groups and types by the prefix of their names, and only if a file would become too
//! long. So adding or removing a definition changes only its own file, unless that is split or merged.

use std::collections::BTreeMap;

use wireform_codegen::schema::file::File;
use wireform_codegen::schema::text as yaml;
use wireform_codegen::schema::write::Write as _;
use wireform_codegen::schema::yaml::{Entry, Node, Value};

use crate::definition::{Item, Kind};
use crate::{ImportError, Overlay};

/// First line of an imported file.
pub const HEADER: &str = "# Imported by Wireform; the descriptions are those of the imported document.\n";

/// Prefix of the checksum of the rest of the file, in the second line.
const CHECKSUM: &str = "# Changes belong in `overlay.yaml`. Checksum: ";

/// Maximum number of lines of a file, unless a single definition has more.
const MAX_LINES: usize = 2500;

/// Maximum length of a file name without its extension.
const MAX_NAME_LENGTH: usize = 100;

/// Serialized definition.
struct SerializedDefinition {
    /// Prefix of the names of its files.
    bucket: String,
    /// Definition that it is placed with.
    owner: String,
    kind: Kind,
    name: String,
    body: Node,
}

impl SerializedDefinition {
    /// Converts the definition of an item to YAML nodes.
    fn of(item: &Item) -> Self {
        let (bucket, owner, name) = (item.bucket.clone(), item.owner.clone(), item.name.clone());
        Self { bucket, owner, kind: item.kind(), name, body: item.definition.to_node() }
    }
}

/// Returns the bucket of definitions that only an overlay adds.
const fn bucket(kind: Kind) -> &'static str {
    if matches!(kind, Kind::Operation) { OPERATIONS } else { "types" }
}

/// Returns the text of a file with this body.
fn text(body: &str) -> String {
    format!("{HEADER}{CHECKSUM}{:016x}\n{body}", checksum(body.as_bytes()))
}

/// Returns whether an imported file is unmodified: its checksum matches its contents.
#[must_use]
pub fn is_unmodified(file: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(file) else { return false };
    // Some tools change line endings.
    let text = text.replace("\r\n", "\n");
    let rest = text.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix(CHECKSUM));
    let recorded = rest.and_then(|rest| rest.split_once('\n'));
    recorded.is_some_and(|(recorded, body)| *recorded == format!("{:016x}", checksum(body.as_bytes())))
}

/// Returns the FNV-1a hash of the bytes: it detects changes, and is not cryptographic.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Definition to be assigned to a file.
struct FileEntry {
    /// Path by which it is assigned: the groups of an operation, the letters of the name of a type.
    steps: Vec<String>,
    /// Text in the section of its kind.
    text: String,
    lines: usize,
    owner: String,
    kind: Kind,
    name: String,
}

impl FileEntry {
    fn new(item: SerializedDefinition) -> Self {
        let steps = if item.bucket.starts_with(OPERATIONS) {
            let mut groups: Vec<String> = item.owner.split('.').map(str::to_owned).collect();
            groups.pop();
            groups
        } else {
            // Types in the body of an operation are not part of another type.
            let of = if item.owner.contains('.') { &item.name } else { &item.owner };
            of.chars().map(String::from).collect()
        };
        let text = yaml::format_definition(&item.name, &item.body);
        let lines = 1 + text.lines().count();
        Self { steps, text, lines, owner: item.owner, kind: item.kind, name: item.name }
    }
}

/// Bucket of the definitions that belong to operations.
const OPERATIONS: &str = "operations";

/// Returns the files of an API by name, with the overlay applied.
///
/// # Errors
/// Returns an error if the overlay cannot be applied.
pub fn write_files(
    api: &File,
    items: &[Item],
    overlay: Option<&Overlay>,
) -> Result<BTreeMap<String, String>, ImportError> {
    let (api, items) = (api.write(), items.iter().map(SerializedDefinition::of).collect());
    let (api, items) = match overlay {
        Some(overlay) => apply_overlay(api, items, overlay)?,
        None => (api, items),
    };
    let mut files = split(items);
    files.insert("api.yaml".to_owned(), text(&yaml::format_file(&api)));
    Ok(files)
}

/// Applies an overlay to the whole schema.
fn apply_overlay(
    api: Node,
    items: Vec<SerializedDefinition>,
    overlay: &Overlay,
) -> Result<(Node, Vec<SerializedDefinition>), ImportError> {
    let Value::Map(mut whole) = api.value else { return Ok((api, items)) };
    let mut places = BTreeMap::new();
    let mut sections: BTreeMap<Kind, Vec<Entry>> = BTreeMap::new();
    for item in items {
        sections.entry(item.kind).or_default().push(Entry::new(item.name.as_str(), item.body));
        places.insert((item.kind, item.name), (item.bucket, item.owner));
    }
    whole.extend(sections.into_iter().map(|(kind, section)| Entry::new(kind.key(), Node::map(section))));
    overlay.apply(&mut whole)?;
    let mut items = Vec::new();
    for kind in Kind::ALL {
        let Some(at) = whole.iter().position(|entry| entry.key == kind.key()) else { continue };
        let Value::Map(section) = whole.remove(at).value.value else { continue };
        for Entry { key: name, value: body, .. } in section {
            let place = places.remove(&(kind, name.clone()));
            let (bucket, owner) = place.unwrap_or_else(|| (bucket(kind).to_owned(), name.clone()));
            items.push(SerializedDefinition { bucket, owner, kind, name, body });
        }
    }
    Ok((Node::map(whole), items))
}

/// Returns the files of all definitions by name.
fn split(items: Vec<SerializedDefinition>) -> BTreeMap<String, String> {
    let mut sections: BTreeMap<String, Vec<FileEntry>> = BTreeMap::new();
    for item in items {
        let section = item.bucket.split('-').next().unwrap_or_default().to_owned();
        sections.entry(section).or_default().push(FileEntry::new(item));
    }
    let mut files = BTreeMap::new();
    for (section, pieces) in sections {
        let skipped = if section == OPERATIONS { 0 } else { common(&pieces, 0) };
        SectionFiles { section: &section, skipped, files: &mut files }.whole(pieces, 0);
    }
    files
}

/// Returns the number of steps that all pieces share.
fn common(pieces: &[FileEntry], from: usize) -> usize {
    let first = pieces.first().map(|piece| piece.steps.as_slice()).unwrap_or_default();
    let same = |at: &usize| pieces.iter().all(|piece| piece.steps.get(*at) == first.get(*at));
    (from..first.len()).take_while(same).last().map_or(from, |last| last + 1)
}

/// Files of a section.
struct SectionFiles<'s> {
    section: &'s str,
    /// Number of steps that file names omit, because all definitions share them.
    skipped: usize,
    files: &'s mut BTreeMap<String, String>,
}

impl SectionFiles<'_> {
    /// Puts pieces that share `depth` steps into one file, or into several if they are too long.
    fn whole(&mut self, pieces: Vec<FileEntry>, depth: usize) {
        if pieces.iter().map(|piece| piece.lines).sum::<usize>() <= MAX_LINES {
            return self.file(pieces, depth);
        }
        let depth = common(&pieces, depth);
        let mut next: BTreeMap<Option<String>, Vec<FileEntry>> = BTreeMap::new();
        for piece in pieces {
            next.entry(piece.steps.get(depth).map(|step| step.to_ascii_lowercase())).or_default().push(piece);
        }
        for (step, pieces) in next {
            match step {
                Some(_) => self.whole(pieces, depth + 1),
                // These have no further distinguishing step.
                None => self.chunks(pieces, depth),
            }
        }
    }

    /// Distributes definitions to files of limited length.
    fn chunks(&mut self, mut pieces: Vec<FileEntry>, depth: usize) {
        pieces.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        let (mut chunk, mut lines) = (Vec::new(), 0);
        for piece in pieces {
            if lines + piece.lines > MAX_LINES && !chunk.is_empty() {
                self.file(std::mem::take(&mut chunk), depth);
                lines = 0;
            }
            lines += piece.lines;
            chunk.push(piece);
        }
        self.file(chunk, depth);
    }

    /// Adds a file with these definitions, under a free name.
    fn file(&mut self, mut pieces: Vec<FileEntry>, depth: usize) {
        pieces.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        let name = pieces.first().map(|piece| self.name(piece, depth)).unwrap_or_default();
        let mut free = format!("{name}.yaml");
        let mut number = 2;
        while self.files.contains_key(&free) {
            free = format!("{name}-{number}.yaml");
            number += 1;
        }
        let mut body = String::new();
        for kind in Kind::ALL {
            let mut of_kind = pieces.iter().filter(|piece| piece.kind == kind).peekable();
            if of_kind.peek().is_some() {
                body.extend([kind.key(), ":\n"]);
                body.extend(of_kind.map(|piece| piece.text.as_str()));
            }
        }
        self.files.insert(free, text(&body));
    }

    /// Returns a file name such as `operations-projects-jobs` or `types-google-cloud-v2-c`.
    fn name(&self, piece: &FileEntry, depth: usize) -> String {
        let steps = piece.steps.get(self.skipped..depth).unwrap_or_default();
        let words: Vec<String> = match steps.split_last() {
            // The last letter distinguishes it from its siblings, unless the name ends with it.
            Some(_) if self.section != OPERATIONS && piece.steps.len() == depth => vec![kebab(&steps.concat())],
            Some((last, before)) if self.section != OPERATIONS => vec![kebab(&before.concat()), kebab(last)],
            _ => steps.iter().map(|step| kebab(step)).collect(),
        };
        let words = [self.section.to_owned()].into_iter().chain(words).filter(|word| !word.is_empty());
        let name: String = words.collect::<Vec<_>>().join("-").chars().take(MAX_NAME_LENGTH).collect();
        name.trim_end_matches('-').to_owned()
    }
}

/// Returns the sort key of a piece: operations by name; types and their parts by owner.
fn sort_key(piece: &FileEntry) -> (&str, Kind, &str) {
    (&piece.owner, piece.kind, &piece.name)
}

/// Converts a name to kebab case, without a word beyond the limit on its length.
fn kebab(text: &str) -> String {
    crate::names::kebab(text)
}

#[cfg(test)]
mod tests;
