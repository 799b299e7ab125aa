//! Templates of emitted lines: the lines without the names and texts of a schema. A snapshot shows only lines with a
//! new template. A line with a known template provides no information about the emitters and need not be reviewed
//! twice.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use wireform_codegen::FileTree;
use wireform_emitted::root;

/// Placeholder for a text of the schema.
const NAME: char = '\u{1}';

/// Known templates, and the words of the emitters.
pub struct Forms {
    words: HashSet<String>,
    known: HashSet<String>,
}

/// Words of a schema, and its text as one line.
pub struct Words {
    words: HashSet<String>,
    text: String,
}

impl Words {
    pub fn of(schema: &str) -> Self {
        let text = schema.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { words: words(schema).map(normal).collect(), text }
    }
}

/// Normalizes a name in any case style of Rust and JSON.
fn normal(word: &str) -> String {
    word.replace('_', "").to_lowercase()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| !c.is_numeric()))
}

impl Forms {
    /// Reads the words of the emitters, without known templates.
    pub fn of_emitters() -> Self {
        let mut words = HashSet::new();
        read(&root().join("codegen/src/emit"), &mut words);
        Self { words, known: HashSet::new() }
    }

    /// Returns the templates of a line: with words that emitters and schema share as those of the emitters, and of the
    /// schema.
    fn of(&self, line: &str, schema: &Words) -> [String; 2] {
        let line = line.trim();
        let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim);
        // A text of the schema, or the call in an example, which is compiled elsewhere.
        let is_of_schema = |doc: &str| !doc.is_empty() && schema.text.contains(doc);
        let is_call = |doc: &str| doc.starts_with("let response = client") || doc.starts_with("client.");
        if doc.is_some_and(|doc| is_of_schema(doc) || is_call(doc)) {
            return ["///".to_owned(), "///".to_owned()];
        }
        let is_of_emitters = |word: &str| self.words.contains(word);
        let is_of_them_alone = |word: &str| is_of_emitters(word) && !schema.words.contains(&normal(word));
        [form(line, &is_of_emitters), form(line, &is_of_them_alone)]
    }

    fn is_known(&self, line: &str, schema: &Words) -> bool {
        self.of(line, schema).iter().any(|form| self.known.contains(form))
    }

    /// Records the templates of all lines of a file.
    pub fn record(&mut self, text: &str, schema: &Words) {
        let forms: Vec<String> = text.lines().flat_map(|line| self.of(line, schema)).collect();
        self.known.extend(forms);
    }

    /// Returns the lines of files with new templates, each with the previous line, and records the templates.
    pub fn show(&mut self, files: &FileTree, schema: &Words) -> String {
        let (mut shown, mut left) = (String::new(), 0);
        for (path, text) in files {
            let text = if path.ends_with(".json") { compact(text) } else { text.clone() };
            let lines: Vec<&str> = text.lines().collect();
            let new: Vec<bool> = lines.iter().map(|line| !line.is_empty() && !self.is_known(line, schema)).collect();
            left += lines.len();
            if new.contains(&true) {
                _ = writeln!(shown, "──── {path}");
                fragments(&lines, &new, &mut shown);
                shown.push('\n');
            }
            self.record(&text, schema);
        }
        _ = writeln!(shown, "──── {} files with {left} lines", files.len());
        shown
    }
}

/// Returns a digest of each crate of a case. If a line is replaced by another one with a known template, only the
/// digest changes.
pub fn digests(files: &FileTree) -> String {
    let mut crates: BTreeMap<&str, u32> = BTreeMap::new();
    for (path, text) in files {
        let name = path.split('/').next().unwrap_or_default();
        let digest = crates.entry(name).or_insert(0x811c_9dc5);
        // FNV-1a, which is the same on all platforms.
        let bytes = path.bytes().chain(text.bytes());
        *digest = bytes.fold(*digest, |digest, byte| (digest ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    }
    crates.iter().map(|(name, digest)| format!("{name} {digest:08x}\n")).collect()
}

fn read(path: &Path, known: &mut HashSet<String>) {
    for entry in fs_err::read_dir(path).expect("the emitters can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            read(&path, known);
            continue;
        }
        let text = fs_err::read_to_string(&path).expect("a source is text");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        known.extend(code.flat_map(words).map(str::to_owned));
    }
}

/// Returns a line with a placeholder for each run of names, texts and numbers that are not words of the emitters.
fn form(line: &str, is_emitter_word: &dyn Fn(&str) -> bool) -> String {
    let mut form = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => text_length(rest),
            _ if first.is_alphanumeric() || first == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match first {
            '"' if !words(token).all(is_emitter_word) => push(&mut form, &format!("\"{NAME}\""), &[',', ' ']),
            '0'..='9' => form.push('0'),
            _ if (first.is_alphabetic() || first == '_') && !is_emitter_word(token) => {
                push(&mut form, &NAME.to_string(), &['.', ',', ':', '-', ' ']);
            }
            _ => form.push_str(token),
        }
    }
    form
}

/// Returns the length of a quoted text.
fn text_length(rest: &str) -> usize {
    let mut escaped = true;
    for (at, c) in rest.char_indices() {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    rest.len()
}

/// Adds a placeholder, unless it follows another one.
fn push(form: &mut String, mark: &str, between: &[char]) {
    let kept = form.trim_end_matches(between);
    if kept.ends_with(mark) {
        form.truncate(kept.len());
    } else {
        form.push_str(mark);
    }
}

/// Adds the new lines of a file, each with the previous line. A gap is marked, with the item in which it ends.
fn fragments(lines: &[&str], new: &[bool], shown: &mut String) {
    let is_near_new = |at: usize| new[at..(at + 2).min(new.len())].contains(&true);
    let is_head =
        |line: &str| line.starts_with(|c: char| c.is_alphabetic() || c == ':') && line.ends_with(['{', '(', '[']);
    let (mut gap, mut head) = (false, None);
    for (at, line) in lines.iter().enumerate() {
        if is_near_new(at) {
            if gap {
                let gap = format!("⋯ {}", head.take().unwrap_or_default());
                _ = writeln!(shown, "{}", gap.trim_end());
            }
            (gap, head) = (false, None);
            _ = writeln!(shown, "{line}");
        } else {
            gap = true;
            if is_head(line) {
                head = Some(*line);
            }
        }
    }
}

/// Compacts JSON or the debug output of Rust: lists and objects that fit are on one line.
pub fn compact(text: &str) -> String {
    const WIDTH: usize = 150;
    let mut done: Vec<String> = Vec::new();
    // Starts of the open objects and lists.
    let mut open: Vec<usize> = Vec::new();
    for line in text.lines() {
        done.push(line.to_owned());
        if line.ends_with(['{', '[', '(']) {
            open.push(done.len() - 1);
        } else if line.trim_start().starts_with(['}', ']', ')'])
            && let Some(start) = open.pop()
        {
            let parts: Vec<&str> = done[start + 1..].iter().map(|line| line.trim_start()).collect();
            let joined = format!("{} {}", done[start], parts.join(" "));
            if joined.chars().count() <= WIDTH {
                done.truncate(start);
                done.push(joined);
            }
        }
    }
    done.join("\n") + "\n"
}

#[test]
fn a_form_has_no_names_of_a_schema() {
    let is_known = |word: &str| ["pub", "fn", "self", "name", "Some"].contains(&word);
    let of = |line: &str| form(line, &is_known).replace(NAME, "_");
    assert_eq!(of("pub fn with_id(self, id: u8)"), "pub fn _(self, _)");
    assert_eq!(of(r#"Some("a \" b"), "name", 12, "x", "y""#), r#"Some("_"), "name", 0, "_""#);
    assert_eq!(of("größe::inner.more"), "_");
}

#[test]
fn lines_of_a_known_form_are_left_out() {
    let mut forms = Forms { words: ["pub", "fn", "new", "old"].map(str::to_owned).into(), known: HashSet::new() };
    let files = |text: &str| FileTree::from([("a.rs".to_owned(), text.to_owned())]);
    let schema = Words::of("fields: { id: { doc: Its name. } }");
    assert_eq!(
        forms.show(&files("mod id {\n/// Its name.\npub fn id();\n"), &schema),
        "──── a.rs\nmod id {\n/// Its name.\npub fn id();\n\n──── 1 files with 3 lines\n"
    );
    // Another name has the same template; another word of the emitters does not.
    assert_eq!(forms.show(&files("pub fn other();\n"), &schema), "──── 1 files with 1 lines\n");
    assert_eq!(
        forms.show(&files("mod one {\n\n\npub fn id();\npub old id();\n"), &schema),
        "──── a.rs\n⋯ mod one {\npub fn id();\npub old id();\n\n──── 1 files with 5 lines\n"
    );
}

#[test]
fn a_replaced_line_changes_the_digest_of_its_crate() {
    let of = |first: &str| {
        let files = [("a/a.rs", first), ("b/b.rs", "b")].map(|(path, text)| (path.to_owned(), text.to_owned()));
        digests(&files.into()).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (one, other) = (of("x\ny\n"), of("y\nx\n"));
    assert!(one[0] != other[0] && one[1] == other[1], "{one:?} {other:?}");
}

#[test]
fn short_json_values_are_on_one_line() {
    let text = "{\n  \"a\": {\n    \"b\": [\n      1,\n      2\n    ]\n  }\n}\n";
    assert_eq!(compact(text), "{ \"a\": { \"b\": [ 1, 2 ] } }\n");
    let long = format!("{{\n  \"a\": \"{}\",\n  \"b\": {{\n    \"c\": 1\n  }}\n}}\n", "x".repeat(150));
    assert_eq!(compact(&long).lines().count(), 4);
}
