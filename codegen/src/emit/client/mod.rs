//! Client crate: groups of operations, and a call for each operation. The runtime sends them.
//!
//! | file | holds |
//! |---|---|
//! | `Cargo.toml` | the manifest |
//! | `src/lib.rs` | the documentation of the crate and its exports |
//! | `src/client.rs` | the client, from which groups are reached |
//! | `src/<group>.rs` | a group, its calls, and its fake for tests; nested groups are in a folder |

mod calls;
mod credentials;
mod documentation;
mod fakes;
mod groups;
mod library;
mod module_paths;

use proc_macro2::TokenStream;
use quote::quote;

use super::rust::{RustTypes, ident};
use super::{Artifact, Content, manifest, rust_file};
use crate::model::{Api, Group, Operation};
use crate::options::Options;

/// Returns the files of the client crate; none for an API without operations.
pub fn emit<'a>(api: &'a Api, options: &'a Options) -> Vec<Artifact<'a>> {
    if api.operations.is_empty() {
        return Vec::new();
    }
    let name = options.crate_name(&api.name, "client");
    let at = |path: &str| format!("{name}/{path}");
    let manifest = {
        let (name, description) = (name.clone(), format!("Client of the {} API: {}.", api.name, api.title));
        move || Content::Text(manifest::client(api, &name, &description, options))
    };
    let mut artifacts = vec![
        Artifact { path: at("Cargo.toml"), content: Box::new(manifest) },
        rust_file(at("src/lib.rs"), move || library::lib(&Crate::new(api, options))),
        rust_file(at("src/client.rs"), move || library::client(&Crate::new(api, options))),
    ];
    let mut open: Vec<(&Group, String)> =
        api.groups.groups.iter().map(|group| (group, format!("src/{}", group.module()))).collect();
    while let Some((group, path)) = open.pop() {
        artifacts.push(rust_file(at(&format!("{path}.rs")), move || groups::file(&Crate::new(api, options), group)));
        open.extend(group.groups.iter().map(|inner| (inner, format!("{path}/{}", inner.module()))));
    }
    artifacts
}

/// Context that the emitters of a client crate share. Its modules import `requests` and `types`.
pub struct Crate<'a> {
    /// Types of the API, as this crate names them.
    pub rust: RustTypes<'a>,
    /// Path of the types crate.
    pub types: TokenStream,
    /// Path of the validation crate.
    pub validation: TokenStream,
    /// Name of this crate in code.
    pub name: String,
    /// Maximum number of operations in a run.
    pub max_operations: usize,
}

impl<'a> Crate<'a> {
    fn new(api: &'a Api, options: &Options) -> Self {
        let in_code = |kind: &str| options.crate_name(&api.name, kind).replace('-', "_");
        let types = ident(&in_code("types"));
        let rust = RustTypes::with_paths(api, quote!(types), quote!(types::runtime));
        let validation = ident(&in_code("validation"));
        let (name, most) = (in_code("client"), options.max_operations);
        Self { rust, types: quote!(::#types), validation: quote!(::#validation), name, max_operations: most }
    }
}

/// Returns the request type of an operation.
fn request_type(operation: &Operation) -> TokenStream {
    let name = ident(&operation.types.request);
    quote!(requests::#name)
}

/// Returns the imports of every module of calls.
fn imports() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use crate::{requests, types};
    }
}
