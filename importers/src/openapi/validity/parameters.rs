//! Parameters and headers.

use super::{Validator, is_empty, members};
use crate::node::Node;
use crate::value::Value;

/// Serialization styles.
const STYLES: [&str; 7] = ["deepObject", "form", "label", "matrix", "pipeDelimited", "simple", "spaceDelimited"];

/// Reports a style that does not exist, which is an error, or that a location does not have.
pub fn style(node: &Node<'_>, allowed: &[&str], location: &str) {
    let Some(style) = node.text_if("style") else { return };
    let written = style.escape_debug();
    if !STYLES.contains(&style) {
        let all = STYLES.join("`, `");
        node.error(format!("unknown style `{written}`; expected one of `{all}`"));
    } else if !allowed.contains(&style) {
        node.note(format!("the style `{written}` does not exist in {location}"));
    }
}

impl<'d> Validator<'d> {
    /// Checks a parameter.
    pub(super) fn parameter(&self, parameter: &Node<'d>) {
        if !parameter.value.is_object() || parameter.has("$ref") {
            return;
        }
        let location = parameter.text_if("in").unwrap_or_default();
        let is_required = parameter.value.get("required") == Some(&Value::Bool(true));
        if location == "path" && !is_required {
            parameter.note("the parameter is required: parameters in the path must have `required: true`");
        }
        match location {
            "path" => style(parameter, &["label", "matrix", "simple"], "the path"),
            "query" => style(parameter, &["deepObject", "form", "pipeDelimited", "spaceDelimited"], "the query"),
            "cookie" => style(parameter, &["form"], "cookies"),
            _ => style(parameter, &["simple"], "headers"),
        }
        if let Some(ty) = parameter.value.get("schema").and_then(|schema| schema.get("type")).and_then(Value::text) {
            let is_possible = match parameter.text_if("style") {
                Some("deepObject") => ty == "object",
                Some("pipeDelimited" | "spaceDelimited") => matches!(ty, "array" | "object"),
                _ => true,
            };
            if !is_possible {
                let style = parameter.text_if("style").unwrap_or_default();
                parameter.note(format!("the style `{style}` is not defined for the type `{}`", ty.escape_debug()));
            }
        }
        self.typed(parameter);
    }

    /// Checks a header.
    pub(super) fn header(&self, header: &Node<'d>) {
        if header.value.is_object() && !header.has("$ref") {
            style(header, &["simple"], "headers");
            self.typed(header);
        }
    }

    /// Checks that a parameter or header has a schema, or content of one media type.
    fn typed(&self, node: &Node<'d>) {
        match (node.has("schema"), node.has("content")) {
            (true, true) => node.error("it has `schema` and `content`; expected one of them"),
            (false, false) => node.note("becomes `string`: it has neither `schema` nor `content`"),
            _ => {}
        }
        if is_empty(node, "content") {
            node.error("its `content` is empty; expected one media type");
        }
        if let Some(style) = node.get("style").filter(|_| node.has("content")) {
            style.note("the style is left out: it has no effect on `content`");
        }
        node.get("schema").iter().for_each(|schema| self.schema(schema));
        for (_, media) in members(node, "content") {
            media.get("schema").iter().for_each(|schema| self.schema(schema));
        }
    }
}
