//! Artifacts → text: formatted, with a header, divided if long, and sorted into a tree of files.

mod division;
mod formatted_part;
mod imports;
mod item;
mod members;
mod spacing;
mod table;

use std::collections::BTreeMap;
use std::iter::once;

use proc_macro2::TokenStream;
use rayon::prelude::*;

use crate::emit::{Artifact, Content, RustFile};
use crate::options::{MARKER, Options};
use formatted_part::FormattedPart;

/// Output: text by path, sorted, with `/` between folders.
pub type FileTree = BTreeMap<String, String>;

/// Renders all artifacts in parallel.
#[must_use]
pub fn render(artifacts: &[Artifact<'_>], options: &Options) -> FileTree {
    artifacts.par_iter().flat_map_iter(|artifact| files(artifact, options.max_lines)).collect()
}

/// Returns the file, or the files into which it is divided if it is too long.
fn files(artifact: &Artifact<'_>, max_lines: usize) -> Vec<(String, String)> {
    let path = artifact.path.clone();
    let file = match (artifact.content)() {
        Content::Text(text) => return vec![(path, text)],
        Content::Rust(file) => file,
    };
    match Whole::of(file) {
        None => vec![(path, unformatted((artifact.content)()))],
        Some(Whole { text, parts: Some((rest, pieces)) }) if text.lines().count() > max_lines => {
            division::divide_file(path, rest, pieces, max_lines)
        }
        Some(whole) => vec![(path, whole.text)],
    }
}

/// Undivided file.
struct Whole {
    text: String,
    /// The file without its parts, and the parts, if it can be divided.
    parts: Option<(RustFile, Vec<FormattedPart>)>,
}

impl Whole {
    /// Formats a file; returns `None` if an emitter produced tokens that are not Rust.
    fn of(file: RustFile) -> Option<Self> {
        let RustFile { head, items, methods, parts, tail } = file;
        let can_be_divided = parts.iter().any(|part| !part.modules.is_empty());
        let members: Vec<&TokenStream> = parts.iter().map(|part| &part.members).filter(|it| !it.is_empty()).collect();
        let implementation = methods.as_ref().and_then(|methods| methods.tokens(&members));
        // Formatting copies tokens that are kept, so all others are moved.
        let rest = can_be_divided.then(|| RustFile {
            head: head.clone(),
            items: items.clone(),
            methods,
            tail: tail.clone(),
            parts: Vec::new(),
        });
        let mut text = format!("// {MARKER}\n");
        once(head)
            .chain(items)
            .chain(implementation)
            .try_for_each(|tokens| item::append_formatted(tokens, &mut text))?;
        let pieces = parts.into_iter().map(|part| {
            let piece = FormattedPart::new(part, can_be_divided)?;
            piece.write(&mut text);
            Some(piece)
        });
        let pieces = pieces.collect::<Option<Vec<_>>>()?;
        tail.into_iter().try_for_each(|tokens| item::append_formatted(tokens, &mut text))?;
        Some(Self { text, parts: rest.map(|rest| (rest, pieces)) })
    }
}

/// Returns the unformatted tokens of an emitter that produced invalid Rust: the compiler then reports the error, and
/// nothing panics here.
fn unformatted(content: Content) -> String {
    let RustFile { head, items, methods, parts, tail } = match content {
        Content::Rust(file) => file,
        Content::Text(text) => return text,
    };
    let members: Vec<&TokenStream> = parts.iter().map(|part| &part.members).collect();
    let methods = methods.and_then(|methods| methods.tokens(&members));
    let parts = parts.into_iter().flat_map(|part| {
        let attribute: TokenStream = part.gate_attribute.parse().unwrap_or_default();
        part.items.into_iter().map(move |item| quote::quote! { #attribute #item })
    });
    let pieces = once(head).chain(items).chain(methods).chain(parts).chain(tail).filter(|piece| !piece.is_empty());
    pieces.fold(format!("// {MARKER}\n"), |text, piece| format!("{text}\n{piece}\n"))
}
