//! Who sets a member, where it is required, and whether its absence can be told.

use super::named::Named;
use super::read::{Kind, Located, Raw, Read, Text, wrong_kind, wrong_kind_of};
use super::shape::{shape, words};
use super::write::{Write, single};
use super::yaml::{Node, Style, Value};
use crate::diagnostics::{Sink, Span};

words! {
    /// Who sets a member and when (AIP-203).
    BehaviorWord {
        /// A body must have it.
        Required "required",
        /// Only the server writes it; what a client sends is dropped.
        OutputOnly "output_only",
        /// Only a client writes it; the server never sends it.
        InputOnly "input_only",
        /// It is set when the resource is created and does not change afterwards: another spelling of the same time is
        /// no change, and a patch that clears it is one.
        Immutable "immutable",
        /// It identifies the resource. In a list of resources it tells which element is which: what a client cannot change is taken over from the stored element that has the same one.
        Identifier "identifier",
    }
}

/// A behaviour, with the operations in which it does not hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behavior {
    /// The behaviour.
    pub word: BehaviorWord,
    /// Operations in which it does not hold.
    pub except: Vec<Text>,
    /// Whether a member that must not be sent is refused rather than dropped.
    pub refuse: bool,
    /// Whether a change is ignored rather than refused.
    pub ignore: bool,
    /// Where it stands.
    pub span: Span,
}

shape! {
    /// The exceptions of a behaviour.
    BehaviorDetail "behaviour" {
        /// The operations in which it does not hold.
        except "except": Vec<Text> = "[events.import]";
        /// Whether a member that must not be sent is refused rather than dropped.
        refuse "refuse": Option<Located<bool>> = "true";
        /// Whether a change of an immutable member is ignored rather than refused: the member stays as it is stored.
        ignore "ignore": Option<Located<bool>> = "true";
    }
}

/// A behaviour without exceptions, which has no place in a file.
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
        if detail == BehaviorDetail::default() { self.word.write() } else { single(self.word.word(), detail.write()) }
    }
}

impl Read for Behavior {
    fn kind() -> Kind {
        let detail = Kind::Map("behaviour", Box::new(BehaviorDetail::kind()));
        Kind::OneOf(vec![BehaviorWord::kind(), detail])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let Value::Map(entries) = &node.value else {
            let word = BehaviorWord::read(node, sink)?;
            return Some(Self { word, except: Vec::new(), refuse: false, ignore: false, span: node.span });
        };
        let [entry] = entries.as_slice() else {
            return wrong_kind(node, "one behaviour", sink);
        };
        let key = Node { span: entry.key_span, value: Value::Scalar(entry.key.clone(), Style::Plain) };
        let word = BehaviorWord::read(&key, sink);
        let detail = BehaviorDetail::read(&entry.value, sink)?;
        let refuse = detail.refuse.is_some_and(|refuse| refuse.value);
        let ignore = detail.ignore.is_some_and(|ignore| ignore.value);
        Some(Self { word: word?, except: detail.except, refuse, ignore, span: node.span })
    }
}

/// Where a member is required.
#[derive(Clone, Debug, PartialEq)]
pub enum Required {
    /// Everywhere, or nowhere.
    Everywhere(bool),
    /// In the bodies of these operations.
    In(RequiredIn),
}

shape! {
    /// The operations whose bodies must have the member.
    RequiredIn "required in" {
        /// The operations. In one that is sent a merge patch the member can be left out, and cannot be null.
        operations "in": Vec<Text> = "[events.insert]";
        /// Says that other merge patches may remove the member, with null.
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
                let report = wrong_kind_of(node, "`true` or `false`", sink);
                report.help(format!("write `required: {{ in: [{}] }}` for some operations", names.join(", ")));
                None
            }
            Value::Scalar(ref text, _) if text.contains('.') => {
                let text = text.escape_debug();
                let report = wrong_kind_of(node, "`true` or `false`", sink);
                report.help(format!("write `required: {{ in: [{text}] }}` for some operations"));
                None
            }
            _ => Located::<bool>::read(node, sink).map(|flag| Self::Everywhere(flag.value)),
        }
    }
}

shape! {
    /// Where the server takes no notice of a member of a request: it stays as it is stored, or is left out where nothing is stored.
    Ignored "ignored" {
        /// The operations in whose bodies it has no effect.
        operations "in": Vec<Text> = "[events.import]";
        /// Another member of the resource with a value: where it has another value, this one has no effect, and is not stored.
        unless "unless": Named<Raw> = "{ type: homeOffice }";
    }
}

shape! {
    /// The operations in whose bodies a value must satisfy its constraints.
    ConstrainedIn "constrained in" {
        /// The operations.
        operations "in": Vec<Text> = "[events.insert, events.import]";
    }
}

words! {
    /// Whether an enum value can be sent.
    EnumBehavior {
        /// It is received only; sending it is a violation.
        OutputOnly "output_only",
        /// It is sent only.
        InputOnly "input_only",
    }
}

words! {
    /// Whether an empty list or map is told apart from an absent one.
    Presence {
        /// Empty means absent, and is not written.
        Implicit "implicit",
        /// Empty is a value of its own.
        Explicit "explicit",
    }
}
