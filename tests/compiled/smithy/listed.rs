//! Parser of `tests/smithy/inapplicable.txt`: headings are reasons, and the lines below each are runs. A line has a
//! side (`request` for both sides of requests) and an id, which may end in a star; or `member`, an operation and a
//! field of it that the schema does not have.

use std::collections::BTreeMap;
use std::path::Path;

use super::corpus::Run;

struct Line {
    reason: String,
    text: String,
    used: usize,
}

/// List of inapplicable runs.
pub struct Listed(Vec<Line>);

impl Listed {
    /// Parses the file.
    pub fn read(file: &Path) -> Self {
        let text = fs_err::read_to_string(file).expect("the list is there");
        let (mut lines, mut reason) = (Vec::new(), None);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
            match line.strip_prefix("# ") {
                Some(heading) => reason = Some(heading.to_owned()),
                None => {
                    let reason = reason.clone().unwrap_or_else(|| panic!("`{line}` has no reason"));
                    lines.push(Line { reason, text: line.to_owned(), used: 0 });
                }
            }
        }
        Self(lines)
    }

    /// Returns the reason of a run, if it is listed.
    pub fn reason(&mut self, run: &Run) -> Option<String> {
        let line = self.0.iter_mut().find(|line| is(&line.text, run))?;
        line.used += 1;
        Some(line.reason.clone())
    }

    /// Returns whether a field of an operation is listed as missing in the schema.
    pub fn leaves_out(&mut self, operation: &str, member: &str) -> bool {
        let text = format!("member {operation}.{member}");
        let line = self.0.iter_mut().find(|line| line.text == text);
        line.map(|line| line.used += 1).is_some()
    }

    /// Returns the unused lines.
    pub fn unused(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter(|line| line.used == 0).map(|line| line.text.clone())
    }

    /// Returns the number of runs for each reason.
    pub fn counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for line in self.0.iter().filter(|line| !line.text.starts_with("member ")) {
            *counts.entry(line.reason.as_str()).or_default() += line.used;
        }
        counts
    }
}

fn is(line: &str, run: &Run) -> bool {
    let Some((side, id)) = line.split_once(' ') else { return false };
    let word = run.side.word();
    let side = word == side || word.strip_prefix(side).is_some_and(|rest| rest.starts_with('-'));
    side && id.strip_suffix('*').map_or(run.id == id, |start| run.id.starts_with(start))
}
