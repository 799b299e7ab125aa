//! The words of `docs/glossary.md` that no identifier and no comment contains.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use rayon::prelude::*;
use wireform_tests::root;

const SECTION: &str = "## Words that no identifier contains";
/// Heading after which the words are banned in identifiers alone: as prepositions and participles they are plain English.
const NOT_IN_COMMENTS: &str = "### Words that comments may contain";

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

/// Appends the Rust sources of a folder, except what the generator writes: its names come from the emitters and the
/// schemas.
fn rust_sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs_err::read_dir(dir).expect("the folder can be read") {
        let entry = entry.expect("the entry can be read");
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let is_written = name.starts_with('.') || ["target", "generated", "node_modules"].contains(&name.as_str());
        if path.is_dir() && !is_written {
            rust_sources(&path, found);
        } else if path.is_file() && name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// Reports the banned words of all sources; `find` returns those of one source.
fn check(banned: &BTreeSet<String>, find: impl Fn(&str) -> Vec<String> + Sync) {
    assert!(banned.len() > 30, "the tables of the glossary were not found: {banned:?}");
    let mut sources = Vec::new();
    rust_sources(&root(), &mut sources);
    let in_file = |path: &PathBuf| {
        let text = fs_err::read_to_string(path).expect("the source can be read");
        let file = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        find(&text).into_iter().map(move |found| format!("{file}: {found}"))
    };
    let found: Vec<String> = sources.par_iter().flat_map_iter(in_file).collect();
    assert!(found.is_empty(), "words that docs/glossary.md replaces:\n{}", found.join("\n"));
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

#[test]
fn identifiers_use_the_terms_of_the_glossary() {
    let banned = Banned::read().in_identifiers;
    check(&banned, |source| {
        let tokens: TokenStream = source.parse().unwrap_or_else(|error| panic!("{error} in\n{source}"));
        let mut found = Vec::new();
        identifiers(tokens, &mut |identifier| {
            if words(identifier).iter().any(|word| banned.contains(word)) {
                found.push(format!("`{identifier}`"));
            }
        });
        found
    });
}

#[test]
fn comments_use_the_terms_of_the_glossary() {
    let banned = Banned::read().in_comments;
    check(&banned, |source| {
        let lines = source.lines().enumerate();
        let found = lines.flat_map(|(at, line)| {
            let words = comment(line).map(|comment| banned_in_comment(comment, &banned)).unwrap_or_default();
            words.into_iter().map(move |word| format!("line {}: `{word}` in `{}`", at + 1, line.trim()))
        });
        found.collect()
    });
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
