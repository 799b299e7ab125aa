//! Artifacts → text: formatted, headed, divided where it is long, and sorted into a tree of files.

mod divide;
mod imports;

use std::collections::BTreeMap;
use std::iter::once;

use proc_macro2::TokenStream;
use rayon::prelude::*;

use crate::emit::{Artifact, Content, Part, RustFile};
use crate::options::{MARKER, Options};

/// The output: text by path, sorted, with `/` between folders.
pub type FileTree = BTreeMap<String, String>;

/// Makes and renders every artifact, in parallel.
#[must_use]
pub fn render(artifacts: &[Artifact<'_>], options: &Options) -> FileTree {
    artifacts.par_iter().flat_map_iter(|artifact| files(artifact, options.most_lines)).collect()
}

/// The file, or the files that it is divided into because it would be longer.
fn files(artifact: &Artifact<'_>, most_lines: usize) -> Vec<(String, String)> {
    let path = artifact.path.clone();
    // Tokens are given away where they are formatted, and made again for the few files that need them twice.
    let again = || match (artifact.content)() {
        Content::Rust(file) => file,
        Content::Text(_) => RustFile::default(),
    };
    let file = match (artifact.content)() {
        Content::Text(text) => return vec![(path, text)],
        Content::Rust(file) => file,
    };
    let can_be_divided = file.parts.iter().any(|part| !part.modules.is_empty());
    match Whole::of(file) {
        None => vec![(path, unformatted(again()))],
        Some(whole) if can_be_divided && whole.text.lines().count() > most_lines => {
            divide::files(path, again(), &whole.parts(), most_lines)
        }
        Some(whole) => vec![(path, whole.text)],
    }
}

/// A file in one piece.
struct Whole {
    text: String,
    /// Where in the text the items of each part end, the first number where they begin.
    ends: Vec<usize>,
}

impl Whole {
    /// None if an emitter made tokens that are not Rust.
    fn of(file: RustFile) -> Option<Self> {
        let RustFile { head, items, methods, parts, tail } = file;
        let members: Vec<&TokenStream> = parts.iter().map(|part| &part.members).filter(|it| !it.is_empty()).collect();
        let methods = methods.and_then(|methods| methods.tokens(&members));
        let mut text = format!("// {MARKER}\n");
        once(head).chain(items).chain(methods).try_for_each(|tokens| push(tokens, &mut text))?;
        let mut ends = vec![text.len()];
        for Part { items, .. } in parts {
            items.into_iter().try_for_each(|tokens| push(tokens, &mut text))?;
            ends.push(text.len());
        }
        tail.into_iter().try_for_each(|tokens| push(tokens, &mut text))?;
        Some(Self { text, ends })
    }

    /// The text of each part.
    fn parts(&self) -> Vec<&str> {
        self.ends.windows(2).map(|ends| self.text.get(ends[0]..ends[1]).unwrap_or_default()).collect()
    }
}

/// Adds formatted tokens and a blank line before them.
fn push(tokens: TokenStream, text: &mut String) -> Option<()> {
    if tokens.is_empty() {
        return Some(());
    }
    text.push('\n');
    format(tokens, text)
}

/// Formats one item, or several that belong together. Blank lines between items come from
/// formatting them one by one. The tokens are given away: keeping them would copy each.
fn format(tokens: TokenStream, text: &mut String) -> Option<()> {
    let file = syn::parse2::<syn::File>(tokens).ok()?;
    space(&prettyplease::unparse(&file), text);
    Some(())
}

/// Should an emitter ever make tokens that are not Rust, they are kept as they are: the compiler then says what is
/// wrong and where, and nothing panics here.
fn unformatted(file: RustFile) -> String {
    let RustFile { head, items, methods, parts, tail } = file;
    let members: Vec<&TokenStream> = parts.iter().map(|part| &part.members).collect();
    let methods = methods.and_then(|methods| methods.tokens(&members));
    let parts = parts.into_iter().flat_map(|part| part.items);
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
