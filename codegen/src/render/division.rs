//! Division of long Rust files: the parts move to modules in a folder, and the file re-exports their items. Modules
//! are named after what they contain, never by size, so that a small change of a schema only moves the code that it
//! affects.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::formatted_part::{Export, FormattedPart};
use super::imports::{self, Identifiers};
use super::item;
use crate::emit::{ImplBlock, RustFile};
use crate::options::MARKER;

/// Returns the files into which a file and its parts are divided.
pub fn divide_file(path: String, file: RustFile, parts: Vec<FormattedPart>, max_lines: usize) -> Vec<(String, String)> {
    let RustFile { head, items, methods, parts: _, tail } = file;
    let leading = items.iter().take_while(|item| imports::is_use(item)).count();
    let (uses, items) = (items[..leading].to_vec(), items[leading..].to_vec());
    let file = File { path, depth: 0, head, uses, items, methods, parts, tail, gates_modules: true };
    let mut found = Vec::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        open.extend(file.write(max_lines, &mut found));
    }
    found
}

/// Rust file that may become too long, and then is divided.
struct File {
    path: String,
    /// Number of modules around its parts.
    depth: usize,
    head: TokenStream,
    uses: Vec<TokenStream>,
    items: Vec<TokenStream>,
    methods: Option<ImplBlock>,
    parts: Vec<FormattedPart>,
    tail: Vec<TokenStream>,
    /// True if the attribute that all items of a module share is on the module, not on each item. With long
    /// conditions and many modules, the list of modules alone would be too long.
    gates_modules: bool,
}

/// Parts by nested module.
type NestedParts = BTreeMap<String, Vec<FormattedPart>>;

impl File {
    /// Writes the file and returns the files that were split from it.
    fn write(mut self, max_lines: usize, found: &mut Vec<(String, String)>) -> Vec<Self> {
        let divides = self.parts.iter().any(|part| part.modules.len() > self.depth);
        if self.depth > 0 {
            let text = self.text(&NestedParts::new());
            let is_short = text.lines().count() <= max_lines;
            if is_short || !divides && !self.divide_members(max_lines) {
                found.push((self.path, text));
                return Vec::new();
            }
        }
        let inner = self.take_inner();
        let mut text = self.text(&inner);
        if text.lines().count() > max_lines && inner.values().any(|parts| !shared_attribute(parts).is_empty()) {
            self.gates_modules = false;
            text = self.text(&inner);
        }
        let children = inner.into_iter().map(|(module, parts)| self.child(&module, parts)).collect();
        found.push((self.path, text));
        children
    }

    /// Moves the methods of long `impl` blocks to modules; returns `false` if there are none.
    fn divide_members(&mut self, max_lines: usize) -> bool {
        let depth = self.depth;
        let inner: Vec<FormattedPart> =
            self.parts.iter_mut().flat_map(|part| part.divide_members(depth, max_lines)).collect();
        let is_divided = !inner.is_empty();
        self.parts.extend(inner);
        is_divided
    }

    /// Takes the parts that belong to nested modules.
    fn take_inner(&mut self) -> NestedParts {
        let taken = imports::imported_names(&self.uses);
        let free = |module: &String| if taken.contains(module) { format!("{module}_") } else { module.clone() };
        let mut inner = NestedParts::new();
        for part in std::mem::take(&mut self.parts) {
            match part.modules.get(self.depth).map(free) {
                Some(module) => inner.entry(module).or_default().push(part),
                None => self.parts.push(part),
            }
        }
        inner
    }

    /// Creates the file of a nested module from the parts that move to it.
    fn child(&self, module: &str, mut parts: Vec<FormattedPart>) -> Self {
        if self.gates_modules && !shared_attribute(&parts).is_empty() {
            parts = parts.into_iter().map(FormattedPart::without_attribute).collect();
        }
        let folder = self.path.strip_suffix(".rs").unwrap_or(&self.path);
        Self {
            path: format!("{folder}/{module}.rs"),
            depth: self.depth + 1,
            head: self.module_docs(&parts),
            uses: self.uses.clone(),
            items: Vec::new(),
            methods: self.methods.as_ref().map(ImplBlock::continued),
            parts,
            tail: Vec::new(),
            gates_modules: true,
        }
    }

    /// Returns the module docs: `//! What `src/requests/projects.rs` has of `locations::jobs`.`
    fn module_docs(&self, parts: &[FormattedPart]) -> TokenStream {
        // The docs name the file that was divided first.
        let mut outermost = self.path.split_once('/').map_or(self.path.as_str(), |(_, path)| path);
        outermost = outermost.trim_end_matches(".rs");
        for _ in 0..self.depth {
            outermost = outermost.rsplit_once('/').map_or(outermost, |(folder, _)| folder);
        }
        let modules = parts.first().and_then(|part| part.modules.get(..=self.depth)).unwrap_or_default().join("::");
        let doc = format!(" What `{outermost}.rs` has of `{modules}`.");
        quote! { #![doc = #doc] }
    }

    /// Returns the text with the remaining parts, and the modules with the others.
    fn text(&self, inner: &NestedParts) -> String {
        let members: Vec<&TokenStream> =
            self.parts.iter().map(|part| &part.members).filter(|it| !it.is_empty()).collect();
        let methods = self.methods.as_ref().and_then(|methods| methods.tokens(&members));
        let mut words = Identifiers::default();
        self.items.iter().chain(&methods).chain(&self.tail).for_each(|tokens| words.collect(tokens));
        self.parts.iter().for_each(|part| words.merge(&part.identifiers));
        let own = self.path.rsplit('/').next().and_then(|file| file.strip_suffix(".rs")).unwrap_or_default();
        let before = imports::used_imports(&self.uses, &words).into_iter().chain(module_declarations(
            own,
            inner,
            self.gates_modules,
        ));
        let mut text = format!("// {MARKER}\n");
        // Tokens that are not Rust have been found before the file was divided.
        let add = |tokens: TokenStream, text: &mut String| {
            let _ = item::append_formatted(tokens, text);
        };
        let before = std::iter::once(self.head.clone()).chain(before);
        before.chain(self.items.iter().cloned()).chain(methods).for_each(|tokens| add(tokens, &mut text));
        self.parts.iter().for_each(|part| part.write(&mut text));
        self.tail.iter().for_each(|tokens| add(tokens.clone(), &mut text));
        text
    }
}

/// Returns the attribute that all items of the parts share.
fn shared_attribute(parts: &[FormattedPart]) -> &str {
    let first = parts.first().map_or("", |part| part.gate_attribute.as_str());
    if parts.iter().all(|part| part.gate_attribute == first) { first } else { "" }
}

/// Returns the declaration and re-exports: `mod locations; pub use self::locations::{ProjectsLocationsGet, …};`
fn module_declarations(own: &str, inner: &NestedParts, gates_modules: bool) -> [TokenStream; 2] {
    let name = |module: &str| Ident::new(module, Span::call_site());
    let gate = |parts: &[FormattedPart]| -> TokenStream {
        if gates_modules { shared_attribute(parts).parse().unwrap_or_default() } else { TokenStream::new() }
    };
    let modules = inner.iter().map(|(module, parts)| {
        let (has_parent_name, module) = (module == own, name(module));
        let allowed = has_parent_name.then(|| quote! { #[allow(clippy::module_inception)] });
        let attribute = gate(parts);
        // The macros of a module are visible in the code after it.
        let macros = parts.iter().any(|part| part.has_macros).then(|| quote! { #[macro_use] });
        quote! { #attribute #macros #allowed mod #module; }
    });
    let exported = inner.iter().map(|(module, parts)| reexports(&name(module), gate(parts), parts));
    [modules.collect(), exported.collect()]
}

/// Maximum number of names in a re-export; longer lists do not help a reader.
const MAX_NAMES: usize = 256;

/// Returns the re-exports of a module, by name. If there are many, or some depend on features, it uses a glob: a list
/// for each condition would be longer than the items.
fn reexports(module: &Ident, attribute: TokenStream, parts: &[FormattedPart]) -> TokenStream {
    let exports = || parts.iter().flat_map(|part| &part.exports);
    let are_conditional = parts.iter().any(|part| !part.gate_attribute.is_empty());
    let are_many = exports().count() > MAX_NAMES;
    if exports().next().is_none() {
        return TokenStream::new();
    }
    if are_many || are_conditional || exports().any(|export| !export.conditions.is_empty()) {
        return quote! { #[allow(unused_imports)] #attribute pub use self::#module::*; };
    }
    let mut by_visibility: BTreeMap<String, (&TokenStream, Vec<&Ident>)> = BTreeMap::new();
    for Export { visibility, name, .. } in exports() {
        by_visibility.entry(visibility.to_string()).or_insert((visibility, Vec::new())).1.push(name);
    }
    let lists = by_visibility.into_values().map(|(visibility, mut names)| {
        names.sort_unstable();
        quote! { #[allow(unused_imports)] #visibility use self::#module::{#(#names),*}; }
    });
    lists.collect()
}
