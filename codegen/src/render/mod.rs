//! Artifacts → text: formatted, headed, divided where it is long, and sorted into a tree of files.

mod divide;
mod imports;
pub mod layout;
mod members;
mod table;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::iter::once;

use proc_macro2::TokenStream;
use rayon::prelude::*;

use crate::emit::{Artifact, Content, RustFile};
use crate::options::{MARKER, Options};

/// The output: text by path, sorted, with `/` between folders.
pub type FileTree = BTreeMap<String, String>;

/// How many bytes most items have as tokens that are written.
const MOST_ITEMS: usize = 4096;

/// Makes and renders every artifact, in parallel.
#[must_use]
pub fn render(artifacts: &[Artifact<'_>], options: &Options) -> FileTree {
    artifacts.par_iter().flat_map_iter(|artifact| files(artifact, options.most_lines)).collect()
}

/// The file, or the files that it is divided into because it would be longer.
fn files(artifact: &Artifact<'_>, most_lines: usize) -> Vec<(String, String)> {
    let path = artifact.path.clone();
    let file = match (artifact.content)() {
        Content::Text(text) => return vec![(path, text)],
        Content::Rust(file) => file,
    };
    match Whole::of(file) {
        None => vec![(path, unformatted((artifact.content)()))],
        Some(Whole { text, ends, can_be_divided: true, rest }) if text.lines().count() > most_lines => {
            let texts: Vec<&str> = ends.windows(2).map(|ends| text.get(ends[0]..ends[1]).unwrap_or_default()).collect();
            divide::files(path, rest, &texts, most_lines)
        }
        Some(whole) => vec![(path, whole.text)],
    }
}

/// A file in one piece.
struct Whole {
    text: String,
    /// Where in the text the items of each part end, the first number where they begin.
    ends: Vec<usize>,
    can_be_divided: bool,
    /// The file without the items of its parts, where it can be divided.
    rest: RustFile,
}

impl Whole {
    /// None if an emitter made tokens that are not Rust.
    fn of(file: RustFile) -> Option<Self> {
        let RustFile { head, items, methods, mut parts, tail } = file;
        let can_be_divided = parts.iter().any(|part| !part.modules.is_empty());
        let members: Vec<&TokenStream> = parts.iter().map(|part| &part.members).filter(|it| !it.is_empty()).collect();
        let implementation = methods.as_ref().and_then(|methods| methods.tokens(&members));
        let mut rest = RustFile::default();
        // Tokens that are kept are copied one by one when they are formatted; those of parts are given away.
        if can_be_divided {
            rest =
                RustFile { head: head.clone(), items: items.clone(), methods, tail: tail.clone(), parts: Vec::new() };
        }
        let mut text = format!("// {MARKER}\n");
        once(head).chain(items).chain(implementation).try_for_each(|tokens| push(tokens, &mut text))?;
        let mut ends = vec![text.len()];
        for part in &mut parts {
            let items = std::mem::take(&mut part.items);
            items.into_iter().try_for_each(|tokens| push_behind(&part.behind, tokens, &mut text))?;
            ends.push(text.len());
        }
        tail.into_iter().try_for_each(|tokens| push(tokens, &mut text))?;
        rest.parts = parts;
        Some(Self { text, ends, can_be_divided, rest })
    }
}

/// Adds formatted tokens and a blank line before them; none if they are not Rust.
fn push(tokens: TokenStream, text: &mut String) -> Option<()> {
    push_behind("", tokens, text)
}

/// The same with an attribute before each item.
fn push_behind(behind: &str, tokens: TokenStream, text: &mut String) -> Option<()> {
    if tokens.is_empty() {
        return Some(());
    }
    text.push('\n');
    // Room for most items from the beginning: growing copies what is there.
    let mut written = String::with_capacity(MOST_ITEMS);
    write!(written, "{tokens}").ok()?;
    if let Some(table) = table::is_likely(&written).then(|| table::text(&tokens)).flatten() {
        text.push_str(behind);
        text.push_str(&table);
        return Some(());
    }
    if let Some(found) = members::is_likely(&written).then(|| members::Macro::of(&tokens)).flatten() {
        text.push_str(behind);
        text.push_str(&found.text(|tokens| formatted("", tokens))?);
        return Some(());
    }
    space(&unspaced(behind, &written, tokens)?, text);
    Some(())
}

/// The text of an item with blank lines between its members.
fn formatted(behind: &str, tokens: TokenStream) -> Option<String> {
    let mut text = String::new();
    space(&unspaced(behind, &tokens.to_string(), tokens)?, &mut text);
    Some(text)
}

/// The text of tokens that are written so, as the formatter makes it.
fn unspaced(behind: &str, written: &str, tokens: TokenStream) -> Option<String> {
    let mut text = String::with_capacity(written.len() + written.len() / 4);
    if layout::write(behind, written, &mut text) { Some(text) } else { format(behind, tokens) }
}

/// Formats one item, or several that belong together, by way of a syntax tree.
fn format(behind: &str, tokens: TokenStream) -> Option<String> {
    let file = syn::parse2::<syn::File>(tokens).ok()?;
    if behind.is_empty() {
        return Some(prettyplease::unparse(&file));
    }
    let mut formatted = String::new();
    for item in file.items {
        formatted.push_str(behind);
        let item = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
        formatted.push_str(&prettyplease::unparse(&item));
    }
    Some(formatted)
}

/// Should an emitter ever make tokens that are not Rust, they are kept as they are: the compiler then says what is
/// wrong and where, and nothing panics here.
fn unformatted(content: Content) -> String {
    let RustFile { head, items, methods, parts, tail } = match content {
        Content::Rust(file) => file,
        Content::Text(text) => return text,
    };
    let members: Vec<&TokenStream> = parts.iter().map(|part| &part.members).collect();
    let methods = methods.and_then(|methods| methods.tokens(&members));
    let parts = parts.into_iter().flat_map(|part| {
        let behind: TokenStream = part.behind.parse().unwrap_or_default();
        part.items.into_iter().map(move |item| quote::quote! { #behind #item })
    });
    let pieces = once(head).chain(items).chain(methods).chain(parts).chain(tail).filter(|piece| !piece.is_empty());
    pieces.fold(format!("// {MARKER}\n"), |text, piece| format!("{text}\n{piece}\n"))
}

/// Puts a blank line before each function of an `impl`, where the formatter leaves none. Every line
/// of the text is code: emitted strings are escaped, and comments fill a line each.
fn space(text: &str, spaced: &mut String) {
    spaced.reserve(text.len() + text.len() / 64);
    let mut previous = "";
    for line in text.lines() {
        let commented = previous.trim_start().starts_with("//");
        let ends = previous == "    }" || previous.ends_with(';') && !commented;
        let member = line.strip_prefix("    ").unwrap_or_default();
        let begins = ["fn ", "pub fn ", "///", "#["].iter().any(|start| member.starts_with(start));
        if ends && begins {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        previous = line;
    }
}
