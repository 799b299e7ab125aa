//! Model → artifacts: token streams of Rust files and the text of manifests.
//!
//! Emitting cannot fail: what could not be emitted was refused in `resolve`. Emitters are small
//! functions in the shape of their output; what needs no interpolation lives in the runtime.

mod client;
mod docs;
mod manifest;
mod openapi;
mod prose;
mod rust;
mod server;
mod types;
mod validation;

use proc_macro2::TokenStream;

use crate::diagnostics::Source;
use crate::model::Api;
use crate::options::Options;

/// A file of the output before it is text. Token streams cannot leave their thread, so an artifact
/// says how its content is made, and whoever renders it makes it.
pub struct Artifact<'a> {
    /// Where it goes, with `/` between folders.
    pub path: String,
    /// Makes what it holds.
    pub content: Box<dyn Fn() -> Content + Send + Sync + 'a>,
}

/// What a file holds.
pub enum Content {
    /// A Rust file.
    Rust(RustFile),
    /// Any other text.
    Text(String),
}

/// A Rust file: its head and its items, between which a blank line will stand.
pub struct RustFile {
    /// Inner documentation and attributes.
    pub head: TokenStream,
    /// The items. What belongs together, such as `use` lines, is one entry.
    pub items: Vec<TokenStream>,
}

/// A Rust file at a path.
fn rust_file<'a>(path: String, file: impl Fn() -> RustFile + Send + Sync + 'a) -> Artifact<'a> {
    Artifact { path, content: Box::new(move || Content::Rust(file())) }
}

/// Everything that is generated for an API, in no particular order.
#[must_use]
pub fn emit<'a>(api: &'a Api, sources: &'a [Source], options: &'a Options) -> Vec<Artifact<'a>> {
    let mut artifacts = types::emit(api, options);
    artifacts.extend(validation::emit(api, sources, options));
    artifacts.extend(client::emit(api, options));
    artifacts.extend(server::emit(api, options));
    artifacts.extend(openapi::emit(api, options));
    artifacts
}
