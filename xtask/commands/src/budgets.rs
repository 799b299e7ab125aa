//! `cargo xtask budgets`: records the size of each generated crate next to the snapshots, so that growth by more than
//! 5 percent is a deliberate change.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use fs_err as fs;

use wireform::pluralize;

use crate::cli::{BudgetsOptions, root};

/// File with the recorded figures.
const FILE: &str = "tests/budgets.json";

/// Maximum unrecorded growth of a figure, in percent.
const MAX_GROWTH_PERCENT: u64 = 5;

/// Figures of a crate, in the order of [`NAMES`]: lines of Rust, bytes of all files, and direct and transitive
/// dependencies with every feature.
type Figures = [u64; 3];

const NAMES: [&str; 3] = ["lines", "bytes", "dependencies"];

/// Writes the figures, or only compares them with `--check`. Returns false if a crate has grown too much or is not
/// recorded.
pub fn run(options: &BudgetsOptions) -> anyhow::Result<bool> {
    let file = root().join(FILE);
    let now = measure_crates()?;
    if options.check {
        let recorded = read(&fs::read_to_string(&file)?).with_context(|| format!("cannot read `{FILE}`"))?;
        let problems = compare(&recorded, &now);
        problems.iter().for_each(|problem| eprintln!("{problem}"));
        if !problems.is_empty() {
            eprintln!("if the changes are intended, run `cargo xtask budgets` and commit `{FILE}`");
        }
        return Ok(problems.is_empty());
    }
    fs::write(file, to_json(&now))?;
    println!("{FILE}: {}", pluralize(now.len(), "crates"));
    Ok(true)
}

/// Measures every generated crate.
fn measure_crates() -> anyhow::Result<BTreeMap<String, Figures>> {
    let dir = root().join("generated");
    let locked = parse_lock_file(&fs::read_to_string(root().join("Cargo.lock"))?);
    let mut found: BTreeMap<String, Figures> = BTreeMap::new();
    for path in wireform::files_below(&dir)? {
        let Some((name, _)) = path.split_once('/') else { continue };
        let text = fs::read_to_string(dir.join(&path))?;
        let figures = found.entry(name.to_owned()).or_default();
        figures[0] += if path.ends_with(".rs") { text.lines().count() as u64 } else { 0 };
        figures[1] += text.len() as u64;
    }
    for (name, figures) in &mut found {
        figures[2] = count_dependencies(&locked, name);
    }
    Ok(found)
}

/// Returns the dependencies of each package of a lock file by name; versions of one package are distinguished by what
/// follows the name.
fn parse_lock_file(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut packages: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in text.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
            line.map(|value| value.trim_end_matches('"').to_owned())
        };
        let (Some(name), Some(version)) = (value("name"), value("version")) else { continue };
        let listed = package.lines().filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\","));
        let listed: Vec<String> = listed.map(str::to_owned).collect();
        packages.insert(format!("{name} {version}"), listed.clone());
        packages.entry(name).or_insert(listed);
    }
    packages
}

/// Returns the number of direct and transitive dependencies of a package.
fn count_dependencies(packages: &BTreeMap<String, Vec<String>>, from: &str) -> u64 {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        let inner = packages.get(name).into_iter().flatten();
        open.extend(inner.filter(|inner| seen.insert(inner.as_str())).map(String::as_str));
    }
    seen.len() as u64
}

/// Returns the differences from the recorded figures: crates that are missing on either side, and excessive growth.
fn compare(recorded: &BTreeMap<String, Figures>, now: &BTreeMap<String, Figures>) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, figures) in now {
        let Some(before) = recorded.get(name) else {
            problems.push(format!("{name}: missing in `{FILE}`"));
            continue;
        };
        for (index, what) in NAMES.iter().enumerate() {
            let (before, now) = (before[index], figures[index]);
            if now * 100 > before * (100 + MAX_GROWTH_PERCENT) {
                let now = pluralize(usize::try_from(now).unwrap_or(usize::MAX), what);
                problems.push(format!("{name}: {now}, but {before} recorded"));
            }
        }
    }
    let stale = recorded.keys().filter(|name| !now.contains_key(*name));
    problems.extend(stale.map(|name| format!("{name}: recorded in `{FILE}`, but no longer generated")));
    problems
}

/// Formats the figures with a line for each crate, so that a change is readable.
fn to_json(all: &BTreeMap<String, Figures>) -> String {
    let lines = all.iter().map(|(name, figures)| {
        let figures = NAMES.iter().zip(figures).map(|(what, figure)| format!("\"{what}\": {figure}"));
        format!("  \"{name}\": {{ {} }}", figures.collect::<Vec<_>>().join(", "))
    });
    format!("{{\n{}\n}}\n", lines.collect::<Vec<_>>().join(",\n"))
}

fn read(text: &str) -> anyhow::Result<BTreeMap<String, Figures>> {
    let all: BTreeMap<String, BTreeMap<String, u64>> = serde_json::from_str(text)?;
    let figures = |(name, figures): (String, BTreeMap<String, u64>)| {
        let mut read = Figures::default();
        for (figure, what) in read.iter_mut().zip(NAMES) {
            *figure = *figures.get(what).with_context(|| format!("missing `{what}` of `{name}`"))?;
        }
        Ok((name, read))
    };
    all.into_iter().map(figures).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(crates: &[(&str, Figures)]) -> BTreeMap<String, Figures> {
        crates.iter().map(|(name, figures)| ((*name).to_owned(), *figures)).collect()
    }

    #[test]
    fn budgets_round_trip() {
        let all = of(&[("a-types", [10, 200, 3]), ("b-client", [0, u64::from(u32::MAX), 150])]);
        assert_eq!(read(&to_json(&all)).ok(), Some(all));
        assert!(read(r#"{"a": {"lines": 1, "bytes": 2}}"#).is_err());
    }

    #[test]
    fn excessive_growth_and_missing_crates_are_reported() {
        let recorded = of(&[("a", [100, 1000, 10]), ("gone", [1, 1, 1])]);
        let now = of(&[("a", [105, 1051, 10]), ("new", [1, 1, 1])]);
        let reported = compare(&recorded, &now);
        assert_eq!(reported.len(), 3, "{reported:?}");
        assert!(reported[0].starts_with("a: 1051 bytes, but 1000"), "{reported:?}");
        assert!(reported[1].starts_with("new: ") && reported[2].starts_with("gone: "), "{reported:?}");
        assert_eq!(
            compare(&of(&[("a", [1, 0, 2])]), &of(&[("a", [2, 1, 3])])),
            ["a: 2 lines, but 1 recorded", "a: 1 byte, but 0 recorded", "a: 3 dependencies, but 2 recorded"]
        );
        assert!(compare(&now, &of(&[("a", [1, 1, 1]), ("new", [1, 1, 1])])).is_empty(), "less is never reported");
    }

    #[test]
    fn transitive_dependencies_are_counted_once() {
        let text = concat!(
            "version = 4\n\n",
            "[[package]]\nname = \"a\"\nversion = \"1\"\ndependencies = [\n \"b\",\n \"c 2\",\n]\n\n",
            "[[package]]\nname = \"b\"\nversion = \"1\"\ndependencies = [\n \"c 2\",\n]\n\n",
            "[[package]]\nname = \"c\"\nversion = \"1\"\n\n",
            "[[package]]\nname = \"c\"\nversion = \"2\"\n"
        );
        assert_eq!(count_dependencies(&parse_lock_file(text), "a"), 2);
        assert_eq!(count_dependencies(&parse_lock_file(text), "c"), 0);
    }
}
