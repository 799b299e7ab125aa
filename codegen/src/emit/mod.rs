//! Model → artifacts: token streams of Rust files and the text of manifests.
//!
//! Emitting cannot fail: `resolve` has rejected whatever cannot be emitted. Emitters are small functions that
//! resemble their output; code without interpolation belongs to the runtime.

mod client;
mod docs;
mod features;
mod groups;
mod manifest;
mod openapi;
mod operation_docs;
mod parameters;
mod rust;
mod server;
mod types;
mod validation;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostics::Source;
use crate::model::Api;
use crate::options::Options;

/// File of the output before it is rendered. Token streams cannot leave their thread, so an artifact holds a function
/// that creates its content, and the renderer calls it.
pub struct Artifact<'a> {
    /// Path with `/` between folders.
    pub path: String,
    /// Creates the content.
    pub content: Box<dyn Fn() -> Content + Send + Sync + 'a>,
}

/// Content of a file.
pub enum Content {
    /// Rust file.
    Rust(RustFile),
    /// Any other text.
    Text(String),
}

/// Rust file: its head, its items, separated by blank lines, and parts that can move to files of their own if this
/// one is too long. Parts and items refer to each other by paths from the crate root.
#[derive(Default)]
pub struct RustFile {
    /// Inner doc comments and attributes.
    pub head: TokenStream,
    /// Items. Lines that belong together, such as `use` lines, are one entry; private `use` lines apply to parts too.
    pub items: Vec<TokenStream>,
    /// `impl` block to which parts add members.
    pub methods: Option<ImplBlock>,
    /// Parts, each for one operation, resource or group.
    pub parts: Vec<Part>,
    /// Items after the parts.
    pub tail: Vec<TokenStream>,
}

/// `impl` block to which parts add members.
pub struct ImplBlock {
    /// Type, from the crate root: a part in another module continues its `impl` there.
    pub target: TokenStream,
    /// Type, as named in the file that defines it.
    pub name: TokenStream,
    /// Members that belong to no part.
    pub members_of_file: TokenStream,
}

/// Part of a Rust file.
#[derive(Default)]
pub struct Part {
    /// Modules of the part if the file is divided, outermost first.
    pub modules: Vec<String>,
    /// Members that it adds to the `impl` block.
    pub members: TokenStream,
    /// Items.
    pub items: Vec<TokenStream>,
    /// Attribute before each of its items, with a line break; empty without a gate.
    pub gate_attribute: String,
}

impl RustFile {
    /// Creates a file without parts.
    fn new(head: TokenStream, items: Vec<TokenStream>) -> Self {
        Self { head, items, ..Self::default() }
    }

    /// Creates a file from a head, imports and parts.
    fn with_parts(head: TokenStream, items: Vec<TokenStream>, parts: Vec<Part>) -> Self {
        Self { head, items, parts, ..Self::default() }
    }
}

impl ImplBlock {
    /// Returns the `impl` block with the members of some parts, or `None` if it is empty.
    #[must_use]
    pub fn tokens(&self, members: &[&TokenStream]) -> Option<TokenStream> {
        let Self { name, members_of_file: own, .. } = self;
        (!own.is_empty() || !members.is_empty()).then(|| quote! { impl #name { #own #(#members)* } })
    }

    /// Returns the same `impl` block, to continue in another module.
    #[must_use]
    pub fn continued(&self) -> Self {
        Self { target: self.target.clone(), name: self.target.clone(), members_of_file: TokenStream::new() }
    }
}

impl Part {
    fn new(modules: Vec<String>, items: Vec<TokenStream>) -> Self {
        Self { modules, items, ..Self::default() }
    }

    /// Returns the part with a feature gate.
    fn gated(self, gate_attribute: String) -> Self {
        Self { gate_attribute, ..self }
    }
}

/// Returns a Rust file at a path.
fn rust_file<'a>(path: String, file: impl Fn() -> RustFile + Send + Sync + 'a) -> Artifact<'a> {
    Artifact { path, content: Box::new(move || Content::Rust(file())) }
}

/// Returns all files that are generated for an API, in no particular order.
#[must_use]
pub fn emit<'a>(api: &'a Api, sources: &'a [Source], options: &'a Options) -> Vec<Artifact<'a>> {
    let mut artifacts = types::emit(api, options);
    artifacts.extend(validation::emit(api, sources, options));
    artifacts.extend(client::emit(api, options));
    artifacts.extend(server::emit(api, options));
    artifacts.extend(openapi::emit(api, options));
    artifacts
}
