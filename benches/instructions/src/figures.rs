//! Recorded figures and their comparison.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_derive::Deserialize;

/// Path of the recorded figures in the repository.
const FILE: &str = "benches/instructions.yaml";

const HEAD: &str = "\
# Cost of hot paths: instructions, ours and by hand, with the ratio of both; and misses of a simulated data cache of
# 48 KiB, ours and by hand, which indicate moves of large values. `cargo instructions --record` writes this file;
# growth of ours beyond the tolerance is an error until it is recorded, with a reason in the commit.
";

/// Maximum unrecorded growth of instructions, in percent.
const TOLERANCE: u64 = 3;

/// Maximum unrecorded growth of misses, in percent; they also depend on memory layout.
const MISSES_TOLERANCE: u64 = 10;

/// Absolute growth of misses that is tolerated, for paths with very few.
const MISSES_SLACK: u64 = 16;

/// Cost of one repetition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Executed instructions.
    pub instructions: u64,
    /// Data accesses that miss the first-level cache.
    pub misses: u64,
}

/// Costs of both sides of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Cost of generated code and the runtime.
    pub ours: Cost,
    /// Cost of handwritten code.
    pub by_hand: Cost,
}

impl Figures {
    fn ratio(self) -> f64 {
        ratio(self.ours.instructions, self.by_hand.instructions)
    }
}

/// Figures of all paths by their names.
pub type All = BTreeMap<String, Figures>;

fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

/// Difference between recorded and counted figures.
#[derive(Debug, Default)]
pub struct Report {
    /// Differences that fail the check.
    pub errors: Vec<String>,
    /// Differences that are only reported.
    pub notes: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.errors.iter().try_for_each(|error| writeln!(f, "error: {error}"))?;
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        if !self.errors.is_empty() {
            writeln!(
                f,
                "help: reduce the cost, or run `cargo instructions --record`, commit `{FILE}`, and state in the \
                 commit what the cost is for"
            )?;
        }
        Ok(())
    }
}

/// Compares counted figures with recorded ones.
pub fn compare(recorded: &All, counted: &All) -> Report {
    let mut report = Report::default();
    for (name, now) in counted {
        match recorded.get(name) {
            Some(before) => compare_one(name, *before, *now, &mut report),
            None => report.errors.push(format!("`{name}` is counted but not in `{FILE}`")),
        }
    }
    let orphans = recorded.keys().filter(|name| !counted.contains_key(*name));
    report.errors.extend(orphans.map(|name| format!("`{name}` is in `{FILE}` and no longer counted")));
    report
}

fn compare_one(name: &str, before: Figures, now: Figures, report: &mut Report) {
    let change = |what: &str, now: u64, before: u64| {
        let times = if before > 0 { format!(", {:.3} times as many", ratio(now, before)) } else { String::new() };
        format!("`{name}` takes {now} {what}, recorded are {before}{times}")
    };
    let (ours, recorded) = (now.ours, before.ours);
    for (what, now, before, max) in [
        ("instructions", ours.instructions, recorded.instructions, max_instructions as fn(u64) -> u64),
        ("cache misses", ours.misses, recorded.misses, max_misses),
    ] {
        if now > max(before) {
            report.errors.push(format!("{}, expected at most {}", change(what, now, before), max(before)));
        } else if before > max(now) {
            let change = change(what, now, before);
            report.notes.push(format!("{change}; `cargo instructions --record` records the improvement"));
        }
    }
    let (now, before) = (now.by_hand.instructions, before.by_hand.instructions);
    if now > max_instructions(before) || before > max_instructions(now) {
        report.notes.push(format!(
            "{} by hand: the compiler, a dependency, the C library or the processor has changed",
            change("instructions", now, before)
        ));
    }
}

/// Returns the maximum of instructions for a recorded figure.
fn max_instructions(recorded: u64) -> u64 {
    grown(recorded, TOLERANCE)
}

/// Returns the maximum of misses for a recorded figure.
fn max_misses(recorded: u64) -> u64 {
    grown(recorded, MISSES_TOLERANCE).saturating_add(MISSES_SLACK)
}

fn grown(figure: u64, percent: u64) -> u64 {
    u64::try_from(u128::from(figure) * u128::from(100 + percent) / 100).unwrap_or(u64::MAX)
}

/// Formats the figures as a table for a terminal.
pub fn table(all: &All) -> String {
    let columns = ["path", "instructions", "by hand", "ratio", "misses", "by hand"];
    let [path, instructions, by_hand, ratio, misses, misses_by_hand] = columns;
    let mut text = format!("{path:<16}{instructions:>14}{by_hand:>14}{ratio:>8}{misses:>12}{misses_by_hand:>12}\n");
    for (name, figures) in all {
        let Figures { ours, by_hand } = figures;
        let ratio = figures.ratio();
        let _ = write!(text, "{name:<16}{:>14}{:>14}{ratio:>8.3}", ours.instructions, by_hand.instructions);
        let _ = writeln!(text, "{:>12}{:>12}", ours.misses, by_hand.misses);
    }
    text
}

/// Reads the recorded figures.
pub fn recorded() -> anyhow::Result<All> {
    parse(&fs_err::read_to_string(file())?).with_context(|| format!("`{FILE}` cannot be read"))
}

/// Writes the recorded figures.
pub fn record(all: &All) -> anyhow::Result<()> {
    fs_err::write(file(), to_yaml(all))?;
    println!("recorded in {FILE}");
    Ok(())
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE)
}

fn to_yaml(all: &All) -> String {
    let mut text = HEAD.to_owned();
    for (name, figures) in all {
        let Figures { ours, by_hand } = figures;
        let Cost { instructions, misses } = ours;
        let ratio = figures.ratio();
        let _ = write!(text, "{name}: {{ instructions: {instructions}, by_hand: {}, ", by_hand.instructions);
        let _ = writeln!(text, "ratio: {ratio:.3}, misses: {misses}, misses_by_hand: {} }}", by_hand.misses);
    }
    text
}

/// Line of the file. The ratio is informative.
#[derive(Deserialize)]
struct Row {
    instructions: u64,
    by_hand: u64,
    misses: u64,
    misses_by_hand: u64,
}

fn parse(text: &str) -> anyhow::Result<All> {
    let rows: BTreeMap<String, Row> = serde_yaml::from_str(text)?;
    let figures = |row: Row| Figures {
        ours: Cost { instructions: row.instructions, misses: row.misses },
        by_hand: Cost { instructions: row.by_hand, misses: row.misses_by_hand },
    };
    Ok(rows.into_iter().map(|(name, row)| (name, figures(row))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns figures from names, instructions and misses; the handwritten side is constant.
    fn all(rows: &[(&str, u64, u64)]) -> All {
        let by_hand = Cost { instructions: 1000, misses: 100 };
        let figures = |instructions, misses| Figures { ours: Cost { instructions, misses }, by_hand };
        rows.iter().map(|(name, instructions, misses)| ((*name).to_owned(), figures(*instructions, *misses))).collect()
    }

    #[test]
    fn written_figures_are_read_back() {
        let figures = all(&[("encode-event", 1200, 7), ("generate", u64::MAX, 0)]);
        let text = to_yaml(&figures);
        let row = "encode-event: { instructions: 1200, by_hand: 1000, ratio: 1.200, misses: 7, misses_by_hand: 100 }";
        assert!(text.lines().any(|line| line == row), "{text}");
        assert_eq!(parse(&text).ok(), Some(figures));
        assert!(parse("a: { instructions: 1, by_hand: 1, misses: 1 }").is_err(), "a missing count");
        assert!(parse("a: { instructions: many, by_hand: 1, misses: 1, misses_by_hand: 1 }").is_err(), "no count");
    }

    #[test]
    fn growth_up_to_the_tolerance_passes() {
        let recorded = all(&[("a", 1000, 100), ("b", 1000, 0), ("c", u64::MAX, u64::MAX)]);
        let counted = all(&[("a", 1030, 126), ("b", 971, 16), ("c", u64::MAX, u64::MAX)]);
        let report = compare(&recorded, &counted);
        assert!(report.errors.is_empty() && report.notes.is_empty(), "{report}");
    }

    #[test]
    fn growth_beyond_the_tolerance_fails_with_the_command_that_records_it() {
        let report = compare(&all(&[("a", 1000, 100), ("b", 1000, 0)]), &all(&[("a", 1031, 127), ("b", 1000, 17)]));
        assert_eq!(
            report.to_string(),
            "error: `a` takes 1031 instructions, recorded are 1000, 1.031 times as many, expected at most 1030\n\
             error: `a` takes 127 cache misses, recorded are 100, 1.270 times as many, expected at most 126\n\
             error: `b` takes 17 cache misses, recorded are 0, expected at most 16\n\
             help: reduce the cost, or run `cargo instructions --record`, commit `benches/instructions.yaml`, and \
             state in the commit what the cost is for\n"
        );
    }

    #[test]
    fn a_path_on_one_side_only_fails() {
        let report = compare(&all(&[("gone", 1, 1), ("kept", 1, 1)]), &all(&[("kept", 1, 1), ("new", 1, 1)]));
        assert_eq!(
            report.errors,
            [
                "`new` is counted but not in `benches/instructions.yaml`",
                "`gone` is in `benches/instructions.yaml` and no longer counted",
            ]
        );
    }

    #[test]
    fn improvements_and_changes_by_hand_are_notes() {
        let recorded = all(&[("a", 1000, 200)]);
        let mut counted = all(&[("a", 900, 100)]);
        counted.values_mut().for_each(|figures| figures.by_hand.instructions = 1100);
        let report = compare(&recorded, &counted);
        assert!(report.errors.is_empty(), "{report}");
        assert_eq!(report.notes.len(), 3, "{report}");
        assert!(
            report.notes[0].contains("900 instructions, recorded are 1000, 0.900 times as many; `cargo"),
            "{report}"
        );
        assert!(
            report.notes[1].contains("100 cache misses, recorded are 200, 0.500 times as many; `cargo"),
            "{report}"
        );
        assert!(
            report.notes[2].contains("1100 instructions, recorded are 1000, 1.100 times as many by hand"),
            "{report}"
        );
    }
}
