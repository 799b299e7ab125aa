//! The scopes of the API.

use std::collections::BTreeSet;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Named;
use wireform_codegen::schema::file::Scope;
use wireform_codegen::schema::shape::Short;

use super::importer::Importer;
use crate::lowering::text;
use crate::names::{self, NameScope};
use crate::node::Node;

/// Common prefix of scope URLs.
pub const SCOPE_BASE: &str = "https://www.googleapis.com/auth/";

/// Assigns a short name to every scope of the document and its methods.
pub fn define<'d>(importer: &mut Importer<'d>, document: &Node<'d>, named: &BTreeSet<&'d str>) {
    let mut taken = NameScope::default();
    let urls = declared(document).into_iter().map(|(url, _)| url);
    for url in urls.chain(named.iter().copied()).collect::<BTreeSet<_>>() {
        let short = url.strip_prefix(SCOPE_BASE).unwrap_or(url);
        let short = short.strip_prefix("https://").unwrap_or(short).trim_end_matches('/');
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '.' };
        let short: String = short.chars().map(plain).take(100).collect();
        let short = if short.bytes().any(|byte| byte.is_ascii_alphanumeric()) { short } else { "scope".to_owned() };
        let name = taken.reserve_free(&short, Casing::Member, names::ident).unwrap_or(short);
        importer.scopes.insert(url.to_owned(), name);
    }
}

/// Returns the scopes that the document declares.
fn declared<'d>(document: &Node<'d>) -> Vec<(&'d str, Node<'d>)> {
    let Some(auth) = document.child("auth") else { return Vec::new() };
    auth.report_unknown(&["oauth2"]);
    let Some(oauth) = auth.child("oauth2") else { return Vec::new() };
    oauth.report_unknown(&["scopes"]);
    let scopes = oauth.objects("scopes");
    scopes.iter().for_each(|(_, scope)| scope.report_unknown(&["description"]));
    scopes
}

/// Returns the scopes as declared in the file of the API.
pub fn declarations<'d>(importer: &Importer<'d>, document: &Node<'d>) -> Named<Short<Scope>> {
    let docs: std::collections::BTreeMap<&str, Node<'d>> = declared(document).into_iter().collect();
    let scope = |(url, name): (&String, &String)| {
        let doc = docs.get(url.as_str()).and_then(|scope| scope.prose("description"));
        let is_short = url.strip_prefix(SCOPE_BASE) == Some(name);
        let url = text((!is_short).then_some(url.as_str()));
        (name.clone(), Scope { doc: text(doc), url, ..Scope::default() }.into())
    };
    importer.scopes.iter().map(scope).collect()
}
