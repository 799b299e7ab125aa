//! Deprecations of fields, parameters, enum values and other constructs.

use super::read::{Kind, Read, Text};
use super::shape::{Shorthand, shape};
use super::write::short_form;
use super::yaml::{Node, Value};
use crate::diagnostics::{Code, Sink, Span};

shape! {
    /// Details of a deprecation. `true` or a description are short forms.
    Deprecation "deprecation" {
        /// The version that deprecated it.
        since "since": Option<Text> = "v3";
        /// The replacement.
        instead "use": Option<Text> = "eventLabelId";
        /// Further details.
        doc "doc": Option<Text> = "Kept for old clients.";
    }
}

/// Short form of a deprecation: `true`, or a description.
#[derive(Clone, Debug)]
pub struct DeprecationFlag(Option<Text>);

impl Read for DeprecationFlag {
    fn kind() -> Kind {
        Kind::OneOf(vec![Kind::Bool, Kind::Text])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        match &node.value {
            Value::Scalar(text, super::yaml::Style::Plain) if text == "true" => Some(Self(None)),
            Value::Scalar(text, super::yaml::Style::Plain) if text == "false" => {
                sink.report(Code::BadScalar, node.span, "expected `true`, a string or a mapping, found `false`")
                    .help("remove the key from what is not deprecated");
                None
            }
            Value::Scalar(text, _) if ["true", "yes", "y", "on"].contains(&text.to_ascii_lowercase().as_str()) => {
                let message = format!("`{}` does not describe a deprecation", text.escape_debug());
                sink.report(Code::BadScalar, node.span, message).help("write `true` without quotes");
                None
            }
            _ => Text::read(node, sink).map(|text| Self(Some(text))),
        }
    }
}

impl Shorthand for Deprecation {
    const KEY: &'static str = "doc";
    type Short = DeprecationFlag;

    fn shorten(whole: &Node) -> Option<Node> {
        match &whole.value {
            Value::Map(entries) if entries.is_empty() => Some(Node::plain("true")),
            _ => short_form(whole, Self::KEY),
        }
    }

    fn expand(flag: DeprecationFlag, span: Span) -> Self {
        Self { span, doc: flag.0, ..Self::default() }
    }
}
