//! Model → artifacts: token streams of Rust files and the text of manifests.
//!
//! Emitting cannot fail: what could not be emitted was refused in `resolve`. Emitters are small
//! functions in the shape of their output; what needs no interpolation lives in the runtime.

mod client;
mod docs;
mod features;
mod groups;
mod manifest;
mod openapi;
mod parameters;
mod prose;
mod rust;
mod server;
mod types;
mod validation;

use proc_macro2::TokenStream;
use quote::quote;

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

/// A Rust file: its head, its items, between which a blank line will stand, and parts that can stand in files of their
/// own where this one would be too long. Parts and the items around them name one another by paths from the crate.
#[derive(Default)]
pub struct RustFile {
    /// Inner documentation and attributes.
    pub head: TokenStream,
    /// The items. What belongs together, such as `use` lines, is one entry; private `use` lines hold for parts too.
    pub items: Vec<TokenStream>,
    /// An implementation that parts add members to.
    pub methods: Option<Methods>,
    /// What is of one operation, resource or group each.
    pub parts: Vec<Part>,
    /// The items behind the parts.
    pub tail: Vec<TokenStream>,
}

/// An implementation that parts add members to.
pub struct Methods {
    /// The type, from the crate: a part in another module continues it there.
    pub target: TokenStream,
    /// The type, as the file that defines it calls it.
    pub name: TokenStream,
    /// The members that are of no part.
    pub own: TokenStream,
}

/// A part of a Rust file.
#[derive(Default)]
pub struct Part {
    /// The modules that it stands in where the file is divided, from the outermost one on.
    pub modules: Vec<String>,
    /// What it adds to the implementation.
    pub members: TokenStream,
    /// Its items.
    pub items: Vec<TokenStream>,
    /// The attribute that stands before each of its items, with the end of its line; empty for what is always there.
    pub behind: String,
}

impl RustFile {
    /// A file without parts.
    fn new(head: TokenStream, items: Vec<TokenStream>) -> Self {
        Self { head, items, ..Self::default() }
    }

    /// A file of a head, imports and parts.
    fn of_parts(head: TokenStream, items: Vec<TokenStream>, parts: Vec<Part>) -> Self {
        Self { head, items, parts, ..Self::default() }
    }
}

impl Methods {
    /// The implementation with the members of some parts; none where nothing is in it.
    #[must_use]
    pub fn tokens(&self, members: &[&TokenStream]) -> Option<TokenStream> {
        let Self { name, own, .. } = self;
        (!own.is_empty() || !members.is_empty()).then(|| quote! { impl #name { #own #(#members)* } })
    }

    /// The same implementation, continued in another module.
    #[must_use]
    pub fn elsewhere(&self) -> Self {
        Self { target: self.target.clone(), name: self.target.clone(), own: TokenStream::new() }
    }
}

impl Part {
    fn new(modules: Vec<String>, items: Vec<TokenStream>) -> Self {
        Self { modules, items, ..Self::default() }
    }

    /// The same part, there with some features only.
    fn behind(self, behind: String) -> Self {
        Self { behind, ..self }
    }
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
