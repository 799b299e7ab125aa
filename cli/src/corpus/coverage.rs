//! Number of operations of the documents that are in the crates, and the reasons why others are not.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Row;
use super::terminal::{sanitize, truncate};
use crate::pluralize::pluralize;

/// Separator in front of the reason in the loss of an operation.
const LOSS_SEPARATOR: &str = ": the operation is left out: ";

/// Formats the total, and a line for each document with missing operations and each reason, the most frequent first.
pub fn render(rows: &[Row]) -> String {
    let all: usize = rows.iter().map(operations).sum();
    let arrived: usize = rows.iter().map(|row| row.generated_operations).sum();
    if all == 0 {
        return String::new();
    }
    let share = share(arrived, all);
    let mut text = format!("{arrived} of {} generated: {share}\n", pluralize(all, "operations"));
    let mut missing: Vec<(usize, &str, String)> = rows.iter().flat_map(missing).collect();
    missing.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (a.1, &a.2).cmp(&(b.1, &b.2))));
    for (count, document, why) in missing {
        let _ = writeln!(text, "{count:>7} lost  {}: {}", sanitize(document), truncate(&sanitize(&why)));
    }
    text
}

/// Formats a share such as `99.53 %`, which is never rounded up to 100 %.
fn share(arrived: usize, all: usize) -> String {
    let hundredths = arrived.saturating_mul(10_000) / all.max(1);
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// Returns the number of operations in a document, as counted there.
fn operations(row: &Row) -> usize {
    row.counts.map_or(0, |counts| counts.methods())
}

/// Returns the reasons why operations of a document are missing, with the number of operations of each.
fn missing(row: &Row) -> Vec<(usize, &str, String)> {
    let lost = operations(row).saturating_sub(row.generated_operations);
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let reasons_given = row.losses.iter().filter_map(|loss| loss.split_once(LOSS_SEPARATOR));
    reasons_given.for_each(|(_, why)| *reasons.entry(why).or_default() += 1);
    let explained: usize = reasons.values().sum();
    let mut found: Vec<_> = reasons
        .into_iter()
        .filter(|_| lost > 0)
        .map(|(why, count)| (count, row.document.as_str(), why.to_owned()))
        .collect();
    if lost > explained {
        found.push((lost - explained, row.document.as_str(), row.problems.join("; ")));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::corpus::counts::Counts;

    fn row(document: &str, operations: usize, arrived: usize, losses: &[&str], problems: &[&str]) -> Row {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        let mut counts = Counts::default();
        counts.0[1] = operations;
        Row {
            document: document.to_owned(),
            api: None,
            is_named_by_file: false,
            counts: Some(counts),
            is_document: true,
            losses: owned(losses),
            warnings: Vec::new(),
            generated_operations: arrived,
            lines: 0,
            time: Duration::ZERO,
            unchanged: false,
            problems: owned(problems),
        }
    }

    #[test]
    fn missing_operations_are_grouped_by_reason() {
        let left_out = "a.json:1:1#/paths/~1a/get: the operation is left out: missing path";
        let rows = [
            row("a.json", 1999, 1997, &[left_out, left_out, "a.json:1:1#/info: left out"], &["1997 methods"]),
            row("b.json", 3, 0, &[], &["warning: unused", "and more"]),
            row("c.json", 5, 5, &[], &[]),
        ];
        let expected = concat!(
            "2002 of 2007 operations generated: 99.75 %\n",
            "      3 lost  b.json: warning: unused; and more\n",
            "      2 lost  a.json: missing path\n"
        );
        assert_eq!(render(&rows), expected);
        assert_eq!(render(&[]), "");
        assert_eq!((share(99_999, 100_000), share(1, 1)), ("99.99 %".to_owned(), "100.00 %".to_owned()));
    }
}
