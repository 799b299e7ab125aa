//! Macros that declare a construct of the language once: the struct, its reader and writer, and the table of its keys
//! for the reference page and the JSON Schema.

/// Declares a construct with keys.
///
/// Each key is `field "key": Type = "example"`; its doc comment is its description.
macro_rules! shape {
    (
        $(#[doc = $doc:literal])*
        $name:ident $title:literal {
            $( $(#[doc = $key_doc:literal])* $field:ident $key:literal : $ty:ty = $example:literal; )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            /// Span of the construct.
            pub span: $crate::diagnostics::Span,
            $( $(#[doc = $key_doc])* pub $field: $ty, )*
        }

        impl $crate::schema::read::HasShape for $name {
            const SHAPE: $crate::schema::read::Shape = $crate::schema::read::Shape {
                name: $title,
                doc: concat!($($doc, "\n"),*),
                keys: &[$($crate::schema::read::Key {
                    name: $key,
                    doc: concat!($($key_doc, "\n"),*),
                    example: $example,
                    required: || <$ty as $crate::schema::read::Read>::absent().is_none(),
                    kind: <$ty as $crate::schema::read::Read>::kind,
                    rewrite: |node, sink| {
                        let value = <$ty as $crate::schema::read::Read>::read(node, sink)?;
                        Some($crate::schema::write::Write::write(&value))
                    },
                }),*],
            };
        }

        impl $crate::schema::read::Read for $name {
            fn kind() -> $crate::schema::read::Kind {
                $crate::schema::read::Kind::Shape(&<Self as $crate::schema::read::HasShape>::SHAPE)
            }

            fn read(
                node: &$crate::schema::yaml::Node,
                sink: &mut $crate::diagnostics::Sink,
            ) -> Option<Self> {
                let keys = $crate::schema::keys::Keys::open(node, &<Self as $crate::schema::read::HasShape>::SHAPE, sink)?;
                $( let $field = keys.get::<$ty>($key, sink); )*
                Some(Self { span: node.span, $( $field: $field?, )* })
            }
        }

        impl $crate::schema::write::Write for $name {
            fn write(&self) -> $crate::schema::yaml::Node {
                let mut entries = Vec::new();
                $( $crate::schema::write::put(&mut entries, $key, &self.$field); )*
                $crate::schema::yaml::Node::map(entries)
            }
        }
    };
}

/// Declares an enum of keywords.
macro_rules! words {
    (
        $(#[doc = $doc:literal])*
        $name:ident { $( $(#[doc = $word_doc:literal])* $variant:ident $word:literal, )* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $( $(#[doc = $word_doc])* $variant, )* }

        impl $name {
            /// All keywords with their descriptions.
            pub const WORDS: &'static [(&'static str, &'static str)] =
                &[$(($word, concat!($($word_doc),*))),*];

            /// Returns the keyword as written.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Returns the value of a keyword.
            #[must_use]
            pub fn from_word(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$variant),)* _ => None }
            }
        }

        /// Returns the first value.
        impl Default for $name {
            fn default() -> Self {
                [$(Self::$variant),*][0]
            }
        }

        impl $crate::schema::write::Write for $name {
            fn write(&self) -> $crate::schema::yaml::Node {
                $crate::schema::yaml::Node::quoted(self.word())
            }
        }

        impl $crate::schema::write::Write for $crate::schema::read::Located<$name> {
            fn write(&self) -> $crate::schema::yaml::Node {
                $crate::schema::write::Write::write(&self.value)
            }
        }

        impl $crate::schema::read::Read for $name {
            fn kind() -> $crate::schema::read::Kind {
                $crate::schema::read::Kind::Words(Self::WORDS)
            }

            fn read(
                node: &$crate::schema::yaml::Node,
                sink: &mut $crate::diagnostics::Sink,
            ) -> Option<Self> {
                let words = || Self::WORDS.iter().map(|(word, _)| *word);
                let Some(text) = node.text() else {
                    return $crate::schema::read::wrong_kind(node, "a string", sink);
                };
                let value = Self::from_word(text);
                if value.is_none() {
                    let message = format!("unknown value `{}`", text.escape_debug());
                    let report = sink.report($crate::diagnostics::Code::BadScalar, node.span, message);
                    match $crate::schema::foreign_syntax::keyword_help(stringify!($name), text) {
                        Some(help) => report.help(help),
                        None => report.suggest(text, words()),
                    };
                }
                value
            }
        }

        impl $crate::schema::read::Read for $crate::schema::read::Located<$name> {
            fn kind() -> $crate::schema::read::Kind {
                <$name as $crate::schema::read::Read>::kind()
            }

            fn read(
                node: &$crate::schema::yaml::Node,
                sink: &mut $crate::diagnostics::Sink,
            ) -> Option<Self> {
                let value = <$name as $crate::schema::read::Read>::read(node, sink)?;
                Some(Self { value, span: node.span })
            }
        }
    };
}

/// A construct that can be written as the value of its main key alone: a mapping is read as the whole construct, any
/// other value with `T::expand`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Short<T>(pub T);

impl<T> From<T> for Short<T> {
    fn from(whole: T) -> Self {
        Self(whole)
    }
}

/// A construct with a short form.
pub trait Shorthand: super::read::Read + super::write::Write {
    /// The key whose value is the short form.
    const KEY: &'static str;
    /// The type of the short form.
    type Short: super::read::Read;
    /// Creates the construct from its short form.
    fn expand(short: Self::Short, span: crate::diagnostics::Span) -> Self;

    /// Returns the short form of a written construct, or `None` if it has other keys.
    fn shorten(whole: &super::yaml::Node) -> Option<super::yaml::Node> {
        super::write::short_form(whole, Self::KEY)
    }
}

impl<T: Shorthand> super::write::Write for Short<T> {
    fn write(&self) -> super::yaml::Node {
        let whole = self.0.write();
        T::shorten(&whole).unwrap_or(whole)
    }
}

impl<T: Shorthand> super::read::Read for Short<T> {
    fn kind() -> super::read::Kind {
        super::read::Kind::OneOf(vec![T::Short::kind(), T::kind()])
    }

    fn read(node: &super::yaml::Node, sink: &mut crate::diagnostics::Sink) -> Option<Self> {
        match node.value {
            super::yaml::Value::Map(_) => T::read(node, sink).map(Self),
            _ => T::Short::read(node, sink).map(|short| Self(T::expand(short, node.span))),
        }
    }
}

pub(crate) use {shape, words};
