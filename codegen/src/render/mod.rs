//! Artifacts → text: formatted, headed, and sorted into a tree of files.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use rayon::prelude::*;

use crate::emit::{Artifact, Content, RustFile};
use crate::options::MARKER;

/// The output: text by path, sorted, with `/` between folders.
pub type FileTree = BTreeMap<String, String>;

/// Makes and renders every artifact, in parallel.
#[must_use]
pub fn render(artifacts: &[Artifact<'_>]) -> FileTree {
    artifacts
        .par_iter()
        .map(|artifact| {
            let text = match (artifact.content)() {
                Content::Text(text) => text,
                Content::Rust(file) => rust(file).unwrap_or_else(|| unformatted((artifact.content)())),
            };
            (artifact.path.clone(), text)
        })
        .collect()
}

/// The text of a file; none if an emitter made tokens that are not Rust.
fn rust(file: RustFile) -> Option<String> {
    let mut text = format!("// {MARKER}\n");
    for part in std::iter::once(file.head).chain(file.items) {
        if !part.is_empty() {
            text.push('\n');
            format(part, &mut text)?;
        }
    }
    Some(text)
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
fn unformatted(content: Content) -> String {
    match content {
        Content::Text(text) => text,
        Content::Rust(file) => {
            let parts = std::iter::once(file.head).chain(file.items).filter(|part| !part.is_empty());
            parts.fold(format!("// {MARKER}\n"), |text, part| format!("{text}\n{part}\n"))
        }
    }
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
