//! The words of `docs/glossary.md` that no identifier and no comment contains. In identifiers they are counted by crate,
//! and the counts may only go down.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use rayon::prelude::*;
use wireform_tests::root;

const RATCHET: &str = "tests/suite/words.txt";
const SECTION: &str = "## Words that no identifier contains";
/// Heading after which the words are banned in identifiers alone: as prepositions and participles they are plain English.
const NOT_IN_COMMENTS: &str = "### Words that comments may contain";

/// Occurrences by crate folder and word.
type Counts = BTreeMap<(String, String), usize>;

/// Words that the glossary replaces.
struct Banned {
    in_identifiers: BTreeSet<String>,
    in_comments: BTreeSet<String>,
}

impl Banned {
    /// Reads the words in backticks in the first columns of the glossary's last two tables.
    fn read() -> Self {
        let page = fs_err::read_to_string(root().join("docs/glossary.md")).expect("the glossary exists");
        let (_, section) = page.split_once(SECTION).expect("the glossary has the section");
        let (everywhere, only_identifiers) =
            section.split_once(NOT_IN_COMMENTS).expect("the section has a second table");
        let in_comments = first_column(everywhere);
        let in_identifiers = in_comments.iter().cloned().chain(first_column(only_identifiers)).collect();
        Self { in_identifiers, in_comments }
    }
}

/// Returns the words in backticks in the first column of a table.
fn first_column(section: &str) -> BTreeSet<String> {
    let first_columns = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
    let words = first_columns.flat_map(|(words, _)| words.split(", ").map(|word| word.trim_matches('`').to_owned()));
    words.collect()
}

/// Returns the hand-written Rust sources of a folder with the folder of their crate. Generated code is
/// omitted, because its names come from the emitters and the schemas.
fn rust_sources(dir: &Path, krate: &str, found: &mut Vec<(String, PathBuf)>) {
    for entry in fs_err::read_dir(dir).expect("the folder can be read") {
        let entry = entry.expect("the entry can be read");
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            if name.starts_with('.') || ["target", "generated", "node_modules"].contains(&name.as_str()) {
                continue;
            }
            let is_crate = path.join("Cargo.toml").is_file();
            let below =
                path.strip_prefix(root()).expect("the path is in the root folder").to_string_lossy().replace('\\', "/");
            rust_sources(&path, if is_crate { &below } else { krate }, found);
        } else if name.ends_with(".rs") {
            found.push((krate.to_owned(), path));
        }
    }
}

/// Calls `visit` with each identifier of a token stream. Comments and literals have none, doc comments among them.
fn identifiers(tokens: TokenStream, visit: &mut impl FnMut(&str)) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => visit(&ident.to_string()),
            TokenTree::Group(group) => identifiers(group.stream(), visit),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Returns the comment of a line, doc comments included. Text in a literal that looks like one counts too: emitters write
/// comments.
fn comment(line: &str) -> Option<&str> {
    let (before, comment) = line.split_once("//")?;
    let comment = comment.trim_start_matches(['/', '!']);
    let is_comment = before.is_empty() || before.ends_with(char::is_whitespace);
    (is_comment && comment.starts_with(' ')).then_some(comment)
}

/// Returns the banned words of a comment outside of backticks, which quote code.
fn banned_in_comment<'a>(comment: &'a str, banned: &BTreeSet<String>) -> Vec<&'a str> {
    let prose = comment.split('`').step_by(2);
    let words = prose.flat_map(|text| text.split(|char: char| !char.is_alphabetic()));
    words.filter(|word| banned.contains(&word.to_lowercase())).collect()
}

/// Splits an identifier at snake and camel case into lower-case words: `HTTPRequest_body2` is `http`, `request`,
/// `body`.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let chars: Vec<char> = identifier.chars().collect();
    for (at, &char) in chars.iter().enumerate() {
        let after_lower = at > 0 && chars[at - 1].is_lowercase();
        let before_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        let after_upper = at > 0 && chars[at - 1].is_uppercase();
        if !char.is_alphabetic() || (char.is_uppercase() && (after_lower || (after_upper && before_lower))) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (char.is_alphabetic(), words.last_mut()) {
            word.extend(char.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Counts the banned words in the identifiers of one file.
fn count_file(krate: &str, path: &Path, banned: &BTreeSet<String>) -> Counts {
    let text = fs_err::read_to_string(path).expect("the source can be read");
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut counts = Counts::new();
    identifiers(tokens, &mut |identifier| {
        for word in words(identifier).into_iter().filter(|word| banned.contains(word)) {
            *counts.entry((krate.to_owned(), word)).or_default() += 1;
        }
    });
    counts
}

/// Returns the hand-written Rust sources of all crates.
fn all_sources() -> Vec<(String, PathBuf)> {
    let mut sources = Vec::new();
    rust_sources(&root(), ".", &mut sources);
    sources
}

/// Counts the banned words in the identifiers of all crates.
fn count_all(banned: &BTreeSet<String>) -> Counts {
    let sources = all_sources();
    let files: Vec<Counts> = sources.par_iter().map(|(krate, path)| count_file(krate, path, banned)).collect();
    let mut counts = Counts::new();
    for (key, count) in files.into_iter().flatten() {
        *counts.entry(key).or_default() += count;
    }
    counts
}

/// Reads the recorded counts: a line for each crate and word.
fn recorded() -> Counts {
    let text = fs_err::read_to_string(root().join(RATCHET)).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let rows = lines.map(|line| {
        let [krate, word, count] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{RATCHET}: `{line}`") };
        ((krate.to_owned(), word.to_owned()), count.parse().expect("a number"))
    });
    rows.collect()
}

fn record(counts: &Counts) {
    let mut text = String::from("# Banned words in identifiers: crate, word, count. See docs/glossary.md.\n");
    for ((krate, word), count) in counts {
        let _ = writeln!(text, "{krate} {word} {count}");
    }
    fs_err::write(root().join(RATCHET), text).expect("the file can be written");
}

#[test]
fn identifiers_use_the_terms_of_the_glossary() {
    let banned = Banned::read().in_identifiers;
    assert!(banned.len() > 30, "the table of the glossary was not found: {banned:?}");
    let (counts, recorded) = (count_all(&banned), recorded());
    let of = |counts: &Counts, key| counts.get(key).copied().unwrap_or(0);
    let keys: BTreeSet<_> = counts.keys().chain(recorded.keys()).collect();
    let list = |wrong: &dyn Fn(usize, usize) -> bool| -> Vec<String> {
        let wrong = keys.iter().filter(|key| wrong(of(&counts, key), of(&recorded, key)));
        wrong.map(|key| format!("{} `{}`: {}, was {}", key.0, key.1, of(&counts, key), of(&recorded, key))).collect()
    };
    let more = list(&|now, then| now > then);
    assert!(more.is_empty(), "words that docs/glossary.md replaces:\n{}", more.join("\n"));
    let fewer = list(&|now, then| now < then);
    if std::env::var_os("UPDATE_WORDS").is_some() {
        record(&counts);
    } else {
        assert!(fewer.is_empty(), "record the lower counts with `UPDATE_WORDS=1`:\n{}", fewer.join("\n"));
    }
}

#[test]
fn comments_use_the_terms_of_the_glossary() {
    let banned = Banned::read().in_comments;
    assert!(banned.len() > 30, "the table of the glossary was not found: {banned:?}");
    let in_file = |(_, path): &(String, PathBuf)| -> Vec<String> {
        let text = fs_err::read_to_string(path).expect("the source can be read");
        let lines = text.lines().enumerate();
        let found = lines.flat_map(|(at, line)| {
            let words = comment(line).map(|comment| banned_in_comment(comment, &banned)).unwrap_or_default();
            words.into_iter().map(move |word| format!("{}:{}: `{word}` in `{}`", path.display(), at + 1, line.trim()))
        });
        found.collect()
    };
    let found: Vec<String> = all_sources().par_iter().flat_map_iter(in_file).collect();
    assert!(found.is_empty(), "words that docs/glossary.md replaces:\n{}", found.join("\n"));
}

#[test]
fn comments_are_recognized() {
    assert_eq!(comment("let x = 1; // text"), Some(" text"));
    assert_eq!(comment("    /// text"), Some(" text"));
    assert_eq!(comment("//! text"), Some(" text"));
    assert_eq!(comment("//"), None);
    assert_eq!(comment("\"https://told.example\""), None);
    let banned = BTreeSet::from(["told".to_owned()]);
    assert_eq!(banned_in_comment(" Told, `told` and untold.", &banned), ["Told"]);
}

#[test]
fn identifiers_are_split_at_snake_and_camel_case() {
    assert_eq!(words("HTTPRequest_body2x"), ["http", "request", "body", "x"]);
    assert_eq!(words("is_TOLD_apart"), ["is", "told", "apart"]);
    assert_eq!(words("NewsOfX"), ["news", "of", "x"]);
}

#[test]
fn only_identifiers_are_counted() {
    let tokens: TokenStream = "/// told\nfn told_of(x: u8) { \"told\"; 'x'; m!(Told) } // told".parse().expect("Rust");
    let mut found = Vec::new();
    identifiers(tokens, &mut |identifier| found.push(identifier.to_owned()));
    assert_eq!(found.iter().flat_map(|one| words(one)).filter(|word| word == "told").count(), 2);
}
