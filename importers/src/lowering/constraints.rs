//! Keys that constrain the values of a type and their representation.

use wireform_codegen::schema::field::{Elements, Encoding, Format, KeysDef};
use wireform_codegen::schema::read::{Located, Raw, Text};
use wireform_codegen::schema::types::Range;

/// Keys that fields, parameters and other members share besides their type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    pub constant: Option<Raw>,
    pub pattern: Option<Text>,
    pub length: Option<Range>,
    pub format: Option<Located<Format>>,
    pub schemes: Vec<Text>,
    pub min: Option<Raw>,
    pub max: Option<Raw>,
    pub multiple_of: Option<Raw>,
    pub items: Option<Range>,
    pub keys: Option<KeysDef>,
    pub unique: Option<Located<bool>>,
    pub elements: Option<Box<Elements>>,
    pub encoding: Option<Located<Encoding>>,
    /// True if the pattern, or the minimum and maximum, express a constant.
    pub is_constant: bool,
}

/// Key of the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Constant,
    Pattern,
    Length,
    Format,
    Schemes,
    Min,
    Max,
    MultipleOf,
    Items,
    Keys,
    Unique,
    Elements,
    Encoding,
}

impl Key {
    /// Every key, in the order in which messages list them.
    const ALL: [(Self, &'static str); 13] = [
        (Self::Encoding, "encoding"),
        (Self::Format, "format"),
        (Self::Min, "min"),
        (Self::Max, "max"),
        (Self::MultipleOf, "multiple_of"),
        (Self::Length, "length"),
        (Self::Pattern, "pattern"),
        (Self::Schemes, "schemes"),
        (Self::Constant, "const"),
        (Self::Items, "items"),
        (Self::Keys, "keys"),
        (Self::Unique, "unique"),
        (Self::Elements, "elements"),
    ];
}

impl Constraints {
    /// Returns whether a key is set.
    pub const fn has(&self, key: Key) -> bool {
        match key {
            Key::Constant => self.constant.is_some(),
            Key::Pattern => self.pattern.is_some(),
            Key::Length => self.length.is_some(),
            Key::Format => self.format.is_some(),
            Key::Schemes => !self.schemes.is_empty(),
            Key::Min => self.min.is_some(),
            Key::Max => self.max.is_some(),
            Key::MultipleOf => self.multiple_of.is_some(),
            Key::Items => self.items.is_some(),
            Key::Keys => self.keys.is_some(),
            Key::Unique => self.unique.is_some(),
            Key::Elements => self.elements.is_some(),
            Key::Encoding => self.encoding.is_some(),
        }
    }

    /// Removes a constraint.
    fn remove(&mut self, key: Key) {
        match key {
            Key::Constant => self.constant = None,
            Key::Pattern => self.pattern = None,
            Key::Length => self.length = None,
            Key::Format => self.format = None,
            Key::Schemes => self.schemes.clear(),
            Key::Min => self.min = None,
            Key::Max => self.max = None,
            Key::MultipleOf => self.multiple_of = None,
            Key::Items => self.items = None,
            Key::Keys => self.keys = None,
            Key::Unique => self.unique = None,
            Key::Elements => self.elements = None,
            Key::Encoding => self.encoding = None,
        }
    }

    /// Removes all other keys, and returns the names of those that were set.
    pub fn retain(&mut self, kept: &[Key]) -> Vec<&'static str> {
        let removed = Key::ALL.into_iter().filter(|(key, _)| self.has(*key) && !kept.contains(key));
        let removed: Vec<(Key, &'static str)> = removed.collect();
        let mut names: Vec<&str> = Vec::new();
        for (key, name) in removed {
            self.remove(key);
            let expresses_constant = self.is_constant && matches!(key, Key::Pattern | Key::Min | Key::Max);
            names.push(if expresses_constant { "const" } else { name });
        }
        names.dedup();
        names
    }

    /// Returns the constraints of a list or map of these values.
    pub fn of_collection(mut self) -> Self {
        let (items, keys) = (self.items.take(), self.keys.take());
        let (unique, elements) = (self.unique.take(), self.elements.take());
        if items.is_some() || keys.is_some() || unique.is_some() || elements.is_some() {
            self.elements = Some(Elements { items, keys, unique, elements, ..Elements::default() }.into());
        }
        self
    }

    /// Removes these keys.
    pub fn without(&mut self, keys: &[Key]) {
        keys.iter().for_each(|key| self.remove(*key));
    }
}

/// Creates a range such as `5..=10`; `None` if it is unbounded.
pub fn range(least: Option<u64>, most: Option<u64>) -> Option<Range> {
    let least = least.filter(|least| *least > 0);
    (least.is_some() || most.is_some()).then(|| Range { min: least, max: most, ..Range::default() })
}

#[cfg(test)]
mod tests {
    use wireform_codegen::schema::types::Range;

    use super::{Constraints, Key};

    #[test]
    fn removed_keys_are_returned() {
        let mut all = Constraints {
            unique: Some(true.into()),
            length: Some(Range::default()),
            encoding: Some(wireform_codegen::schema::field::Encoding::Base64.into()),
            ..Constraints::default()
        };
        assert_eq!(all.retain(&[Key::Encoding]), ["length", "unique"]);
        assert!(all.has(Key::Encoding) && !all.has(Key::Length) && !all.has(Key::Unique));
        all.without(&[Key::Encoding]);
        assert_eq!(all, Constraints::default());
    }
}
