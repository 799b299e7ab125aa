//! `requests/scopes.rs` and `requests/security_schemes.rs`: constants to which operations refer.

use std::collections::BTreeSet;

use heck::ToShoutySnakeCase as _;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::emit::{RustFile, docs, features};
use crate::model::{
    Api, Location, Operation, OperationId, SchemeKind, SchemeRequirement, Scope, ScopeRequirement, SecurityScheme,
};

/// Names of the constants of an API.
pub struct Constants {
    /// Constant of each scope.
    pub scopes: Vec<Ident>,
    /// Constant of each security scheme.
    pub schemes: Vec<Ident>,
}

impl Constants {
    /// Creates the names for an API.
    pub fn new(api: &Api) -> Self {
        Self {
            scopes: constants(api.scopes.iter().map(|scope| scope.name.as_str()), "SCOPE"),
            schemes: constants(api.security_schemes.iter().map(|scheme| scheme.name.as_str()), "SCHEME"),
        }
    }

    /// Returns the requirements of an operation, with the modules `operation`, `scopes` and `security_schemes` in
    /// scope: `operation::AuthRequirement::AnyOf(&[scopes::CALENDAR, scopes::CALENDAR_READONLY])`
    pub fn need(&self, operation: &Operation) -> TokenStream {
        match &operation.scopes {
            _ if operation.security.is_some() => self.alternatives(operation),
            ScopeRequirement::None => quote!(operation::AuthRequirement::None),
            ScopeRequirement::AnyOf(list) => {
                let list = self.list(list);
                quote!(operation::AuthRequirement::AnyOf(#list))
            }
            ScopeRequirement::AllOf(list) => {
                let list = self.list(list);
                quote!(operation::AuthRequirement::AllOf(#list))
            }
        }
    }

    /// Returns a list of scopes: `&[scopes::CALENDAR, scopes::CALENDAR_READONLY]`
    fn list(&self, list: &[usize]) -> TokenStream {
        let scopes = list.iter().filter_map(|index| self.scopes.get(*index));
        quote!(&[#(scopes::#scopes),*])
    }

    /// Returns the security requirements: `operation::AuthRequirement::Schemes(&[&[operation::SchemeRequirement {
    /// scheme: security_schemes::LOGIN, scopes: &[] }]])`
    fn alternatives(&self, operation: &Operation) -> TokenStream {
        let demand = |demand: &SchemeRequirement| {
            let (scheme, scopes) = (self.schemes.get(demand.scheme), self.list(&demand.scopes));
            quote!(operation::SchemeRequirement { scheme: security_schemes::#scheme, scopes: #scopes })
        };
        let alternative = |demands: &Vec<SchemeRequirement>| {
            let demands = demands.iter().map(demand);
            quote!(&[#(#demands),*])
        };
        let mut alternatives: Vec<TokenStream> = operation.security.iter().flatten().map(alternative).collect();
        if alternatives.is_empty() {
            // Without any requirement, the only alternative is anonymous.
            alternatives.push(quote!(&[]));
        }
        quote!(operation::AuthRequirement::Schemes(&[#(#alternatives),*]))
    }
}

/// Returns the constants named after words, each prefixed if it does not begin with a letter, and numbered if another
/// one has the name.
fn constants<'n>(names: impl Iterator<Item = &'n str>, prefix: &str) -> Vec<Ident> {
    let mut taken = BTreeSet::new();
    let constant = |name: &str| {
        let words: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let stem = match words.to_shouty_snake_case() {
            stem if stem.starts_with(|c: char| c.is_ascii_uppercase()) => stem,
            stem if stem.is_empty() => prefix.to_owned(),
            stem => format!("{prefix}_{stem}"),
        };
        let numbered = (2..).map(|number| format!("{stem}_{number}"));
        let free = std::iter::once(stem.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(stem);
        let constant = Ident::new(&free, Span::call_site());
        taken.insert(free);
        constant
    };
    names.map(constant).collect()
}

/// Returns the import of the constants that operations refer to.
pub fn import(api: &Api, operations: &[OperationId]) -> Option<TokenStream> {
    let operations = || operations.iter().map(|id| api.operation(*id));
    let demands = |operation: &'_ Operation| operation.security.iter().flatten().flatten().cloned().collect::<Vec<_>>();
    let schemes = operations().any(|operation| !demands(operation).is_empty());
    let scopes = operations().any(|operation| match &operation.scopes {
        _ if operation.security.is_some() => demands(operation).iter().any(|demand| !demand.scopes.is_empty()),
        ScopeRequirement::None => false,
        ScopeRequirement::AnyOf(list) | ScopeRequirement::AllOf(list) => !list.is_empty(),
    });
    let allowed = features::allow_attribute(api, "unused_imports");
    match (scopes, schemes) {
        (true, true) => Some(quote! { #allowed use crate::requests::{scopes, security_schemes}; }),
        (true, false) => Some(quote! { #allowed use crate::requests::scopes; }),
        (false, true) => Some(quote! { #allowed use crate::requests::security_schemes; }),
        (false, false) => None,
    }
}

/// Returns `requests/scopes.rs`:
///
/// ```text
/// /// See and change all calendars.
/// pub const CALENDAR: &Scope = &Scope::new("calendar", "https://…");
/// ```
pub fn scopes(api: &Api) -> RustFile {
    let constants = Constants::new(api).scopes;
    let items = api.scopes.iter().zip(&constants).map(|(scope, constant)| scope_item(scope, constant));
    let uses = quote! { use ::wireform_runtime::operation::Scope; };
    RustFile::new(docs::inner_attribute("OAuth scopes."), std::iter::once(uses).chain(items).collect())
}

/// Returns the constant of a scope; aliases that are names relative to a base become URLs.
fn scope_item(scope: &Scope, constant: &Ident) -> TokenStream {
    let (name, url) = (&scope.name, &scope.url);
    let base = url.strip_suffix(name.as_str()).unwrap_or_default();
    let address = |alias: &String| if alias.contains("://") { alias.clone() } else { format!("{base}{alias}") };
    let aliases: Vec<String> = scope.aliases.iter().map(address).collect();
    let aliases = (!aliases.is_empty()).then(|| quote!(.aliases(&[#(#aliases),*])));
    let fallback = format!("Scope {}.", docs::code_span(name));
    let doc = docs::attributes(if scope.doc.is_empty() { &fallback } else { &scope.doc }, &[]);
    quote! { #doc pub const #constant: &Scope = &Scope::new(#name, #url) #aliases; }
}

/// Returns `requests/security_schemes.rs`:
///
/// ```text
/// /// Name and password.
/// pub const LOGIN: &SecurityScheme = &SecurityScheme { name: "login", kind: SchemeKind::Basic };
/// ```
pub fn schemes(api: &Api) -> RustFile {
    let constants = Constants::new(api).schemes;
    let items = api.security_schemes.iter().zip(&constants).map(|(scheme, constant)| scheme_item(scheme, constant));
    let is_key = |scheme: &SecurityScheme| matches!(scheme.kind, SchemeKind::ApiKey(..));
    let location = api.security_schemes.iter().any(is_key).then(|| quote!(ParameterLocation,));
    let uses = quote! { use ::wireform_runtime::operation::{#location SchemeKind, SecurityScheme}; };
    RustFile::new(docs::inner_attribute("Security schemes."), std::iter::once(uses).chain(items).collect())
}

fn scheme_item(scheme: &SecurityScheme, constant: &Ident) -> TokenStream {
    let name = &scheme.name;
    let kind = match &scheme.kind {
        SchemeKind::ApiKey(location, name) => {
            let location = match location {
                Location::Cookie => quote!(Cookie),
                Location::Query => quote!(Query),
                Location::Path | Location::Header => quote!(Header),
            };
            quote!(ApiKey(ParameterLocation::#location, #name))
        }
        SchemeKind::Basic => quote!(Basic),
        SchemeKind::Bearer(_) | SchemeKind::OAuth2 { .. } | SchemeKind::OpenId(_) => quote!(Bearer),
        SchemeKind::MutualTls => quote!(MutualTls),
    };
    let fallback = format!("Security scheme {}.", docs::code_span(name));
    let doc = docs::attributes(if scheme.doc.is_empty() { &fallback } else { &scheme.doc }, &[]);
    quote! { #doc pub const #constant: &SecurityScheme = &SecurityScheme { name: #name, kind: SchemeKind::#kind }; }
}
