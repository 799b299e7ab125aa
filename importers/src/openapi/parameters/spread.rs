//! Parameters whose members are in the query under their own names, which may collide with other parameters.

use std::collections::BTreeSet;

use wireform_codegen::schema::field::{ListStyle, Parameter};
use wireform_codegen::schema::types::TypeExpr;

use crate::node::Node;
use crate::openapi::importer::Importer;
use crate::openapi::view::expanded;

/// Names in the query of an operation.
pub struct Names {
    /// Names of parameters and of the members so far.
    taken: BTreeSet<String>,
    /// True if a parameter accepts any other name.
    has_rest: bool,
}

impl Names {
    /// Collects the names of the parameters, except those that are spread into members.
    pub fn of(nodes: &[Node<'_>]) -> Self {
        let in_query = nodes.iter().filter(|node| node.text_if("in") == Some("query"));
        let names = in_query.filter_map(|node| node.text_if("name")).map(str::to_owned);
        Self { taken: names.collect(), has_rest: false }
    }

    /// Converts a parameter to a text if its members are ambiguous.
    pub fn check<'d>(&mut self, importer: &Importer<'d>, node: &Node<'d>, parameter: &mut Parameter) {
        if parameter.style.map(|style| style.value) != Some(ListStyle::Members) {
            return;
        }
        let schema = node.get("schema");
        let view = schema.map(|schema| expanded(&importer.root, std::slice::from_ref(&schema)));
        let members: Vec<&str> = view.iter().flat_map(|view| &view.properties).map(|(name, _)| *name).collect();
        let own = node.text_if("name");
        let clash = members.iter().find(|name| Some(**name) != own && self.taken.contains(**name));
        let why = match clash {
            Some(name) => format!("its member `{}` has the same name as another parameter", name.escape_debug()),
            None if members.is_empty() && self.has_rest => "another parameter accepts any name".to_owned(),
            None => {
                self.has_rest |= members.is_empty();
                self.taken.extend(members.into_iter().map(str::to_owned));
                return;
            }
        };
        node.whole_loss(format!("becomes `string`: {why}"));
        parameter.style = None;
        parameter.ty = TypeExpr::named("string");
    }
}
