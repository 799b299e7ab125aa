//! Behaviour of fields: who sets them, where they are required, and whether empty is distinct from absent.

use super::named::Named;
use super::read::{Kind, Located, Raw, Read, Text, report_wrong_kind, wrong_kind};
use super::shape::{shape, words};
use super::write::{Write, single_entry};
use super::yaml::{Node, Style, Value};
use crate::diagnostics::{Sink, Span};

words! {
    /// Who sets the field, and when (AIP-203).
    BehaviorWord {
        /// A request body must contain the field.
        Required "required",
        /// Only the server sets the field; a value that a client sends is dropped.
        OutputOnly "output_only",
        /// Only a client sets the field; the server never returns it.
        InputOnly "input_only",
        /// The field is set when the resource is created and cannot change afterwards. The same time in another
        /// notation is not a change; a patch that clears the field is one.
        Immutable "immutable",
        /// The field identifies the resource. In a list of resources it matches elements with stored elements: fields
        /// that a client cannot change are copied from the stored element with the same identifier.
        Identifier "identifier",
    }
}

/// A behavior of a field, with its details.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behavior {
    /// The kind of behavior.
    pub word: BehaviorWord,
    /// The operations in which the behavior does not apply.
    pub except: Vec<Text>,
    /// Whether a field that must not be sent is rejected rather than dropped.
    pub refuse: bool,
    /// Whether a change is ignored rather than rejected.
    pub ignore: bool,
    /// Span of the behavior.
    pub span: Span,
}

shape! {
    /// The details of a behavior.
    BehaviorDetail "behavior" {
        /// The operations in which the behavior does not apply.
        except "except": Vec<Text> = "[events.import]";
        /// Whether a field that must not be sent is rejected rather than dropped.
        refuse "refuse": Option<Located<bool>> = "true";
        /// Whether a change of an immutable field is ignored rather than rejected: the stored value is kept.
        ignore "ignore": Option<Located<bool>> = "true";
    }
}

/// Creates a behavior without details, with a default span.
impl From<BehaviorWord> for Behavior {
    fn from(word: BehaviorWord) -> Self {
        Self { word, ..Self::default() }
    }
}

impl Write for Behavior {
    fn write(&self) -> Node {
        let detail = BehaviorDetail {
            except: self.except.clone(),
            refuse: self.refuse.then(|| true.into()),
            ignore: self.ignore.then(|| true.into()),
            ..BehaviorDetail::default()
        };
        if detail == BehaviorDetail::default() {
            self.word.write()
        } else {
            single_entry(self.word.word(), detail.write())
        }
    }
}

impl Read for Behavior {
    fn kind() -> Kind {
        let detail = Kind::Map("behavior", Box::new(BehaviorDetail::kind()));
        Kind::OneOf(vec![BehaviorWord::kind(), detail])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let Value::Map(entries) = &node.value else {
            let word = BehaviorWord::read(node, sink)?;
            return Some(Self { word, except: Vec::new(), refuse: false, ignore: false, span: node.span });
        };
        let [entry] = entries.as_slice() else {
            return wrong_kind(node, "a behavior", sink);
        };
        let key = Node { span: entry.key_span, value: Value::Scalar(entry.key.clone(), Style::Plain) };
        let word = BehaviorWord::read(&key, sink);
        let detail = BehaviorDetail::read(&entry.value, sink)?;
        let refuse = detail.refuse.is_some_and(|refuse| refuse.value);
        let ignore = detail.ignore.is_some_and(|ignore| ignore.value);
        Some(Self { word: word?, except: detail.except, refuse, ignore, span: node.span })
    }
}

/// Where a field is required.
#[derive(Clone, Debug, PartialEq)]
pub enum Required {
    /// In all operations, or in none.
    Everywhere(bool),
    /// In the bodies of these operations.
    In(RequiredIn),
}

shape! {
    /// The operations whose bodies must contain the field.
    RequiredIn "required in" {
        /// The operations. In the body of a merge patch the field can be absent but not null.
        operations "in": Vec<Text> = "[events.insert]";
        /// Whether other merge patches may remove the field with null.
        clearable "clearable": Option<Located<bool>> = "true";
    }
}

impl Write for Required {
    fn write(&self) -> Node {
        match self {
            Self::Everywhere(flag) => Node::plain(flag.to_string()),
            Self::In(some) => some.write(),
        }
    }
}

impl Read for Required {
    fn kind() -> Kind {
        Kind::OneOf(vec![Kind::Bool, RequiredIn::kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        match node.value {
            Value::Map(_) => RequiredIn::read(node, sink).map(Self::In),
            Value::List(ref items) => {
                let names: Vec<&str> = items.iter().filter_map(Node::text).collect();
                let report = report_wrong_kind(node, "`true` or `false`", sink);
                report.help(format!("write `required: {{ in: [{}] }}` for some operations", names.join(", ")));
                None
            }
            Value::Scalar(ref text, _) if text.contains('.') => {
                let text = text.escape_debug();
                let report = report_wrong_kind(node, "`true` or `false`", sink);
                report.help(format!("write `required: {{ in: [{text}] }}` for some operations"));
                None
            }
            _ => Located::<bool>::read(node, sink).map(|flag| Self::Everywhere(flag.value)),
        }
    }
}

shape! {
    /// Where the server ignores a field of a request: the stored value is kept, or the field is dropped if nothing is
    /// stored.
    Ignored "ignored" {
        /// The operations in whose bodies the field is ignored.
        operations "in": Vec<Text> = "[events.import]";
        /// Another field of the resource and a value: if that field has a different value, this one is ignored and not
        /// stored.
        unless "unless": Named<Raw> = "{ type: homeOffice }";
    }
}

shape! {
    /// The operations in whose bodies the constraints apply.
    ConstrainedIn "constrained in" {
        /// The operations.
        operations "in": Vec<Text> = "[events.insert, events.import]";
    }
}

words! {
    /// Whether an enum value can be sent.
    EnumBehavior {
        /// The value occurs in responses only; sending it is a violation.
        OutputOnly "output_only",
        /// The value occurs in requests only.
        InputOnly "input_only",
    }
}

words! {
    /// Whether an empty list or map is distinguished from an absent one.
    Presence {
        /// Empty equals absent, and is not written.
        Implicit "implicit",
        /// Empty is distinct from absent, and is written.
        Explicit "explicit",
    }
}
