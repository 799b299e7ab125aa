//! What an import tells: what is said in other words, and what is lost.

use std::collections::BTreeMap;
use std::path::Path;

use wireform_importers::{Import, Loss, places};

use crate::counted::counted;

/// How many notes of one kind are shown, and how many losses.
const SHOWN: [usize; 2] = [3, 10];

/// Tells of a document, the losses last. `all` is whether what is like something that is shown is shown as well.
pub fn tell(file: &Path, text: &str, import: &Import, all: bool) {
    let words = [("note", "notes", &import.notes), ("loss", "losses", &import.losses)];
    for ((one, several, told), shown) in words.into_iter().zip(SHOWN) {
        let shown = if all { usize::MAX } else { shown };
        for line in lines(file, text, told, shown, one, several) {
            eprintln!("{line}");
        }
    }
}

fn lines(file: &Path, text: &str, told: &[Loss], shown: usize, one: &str, several: &str) -> Vec<String> {
    let file = file.display();
    let kinds = kinds(told);
    let first = kinds.iter().flat_map(|kind| kind.iter().take(shown));
    let places = places(text, first.map(|one| one.at.as_str()));
    let line = |told: &&Loss| {
        let place = places.get(told.at.as_str()).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
        let pointer = if told.at.is_empty() { String::new() } else { format!("#{}", told.at) };
        format!("{one}: {file}{place}{pointer}: {}", told.what)
    };
    let of_kind = |kind: Vec<&Loss>| {
        let more = kind.len().saturating_sub(shown);
        let (rest, them) = (counted(more, several), if more == 1 { "it" } else { "them" });
        let rest = (more > 0).then(|| format!("{one}: {file}: … and {rest} more like these; `--all` shows {them}"));
        kind.iter().take(shown).map(line).chain(rest).collect::<Vec<_>>()
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

/// What says the same but for names, in the order of the first of each.
fn kinds(told: &[Loss]) -> Vec<Vec<&Loss>> {
    let mut order: BTreeMap<String, usize> = BTreeMap::new();
    let mut kinds: Vec<Vec<&Loss>> = Vec::new();
    for one in told {
        let at = *order.entry(kind(&one.what)).or_insert(kinds.len());
        match kinds.get_mut(at) {
            Some(kind) => kind.push(one),
            None => kinds.push(vec![one]),
        }
    }
    kinds
}

/// A text without what stands between backticks.
fn kind(what: &str) -> String {
    what.split('`').step_by(2).collect::<Vec<_>>().join("`")
}
