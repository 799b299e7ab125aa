//! Location of a value during validation: a linked list of names and indices on the stack.

use crate::path::{Path, PathRoot, PathStep};

/// Location in a value during validation.
///
/// Each location refers to its parent, so that descending costs a few words on the stack, and nothing is allocated
/// until there is a violation.
///
/// ```
/// use wireform_validation::__private::Location;
///
/// let body = Location::BODY;
/// let attendees = body.field("attendees");
/// let attendee = attendees.index(3);
/// assert_eq!(attendee.field("email").to_path().to_string(), "attendees[3].email");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Location<'a> {
    parent: Option<&'a Location<'a>>,
    step: Step<'a>,
    secret: bool,
}

/// Last step of a location.
#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root(PathRoot),
    Field(&'static str),
    Index(usize),
    Key(&'a str),
}

impl Location<'static> {
    /// Body of a request or a response, or a standalone value.
    pub const BODY: Self = Self { parent: None, step: Step::Root(PathRoot::Body), secret: false };

    /// Creates the location of a parameter of the path or the query, by its wire name.
    #[inline]
    #[must_use]
    pub const fn parameter(name: &'static str) -> Self {
        Self { parent: None, step: Step::Root(PathRoot::Parameter(name)), secret: false }
    }

    /// Creates the location of a header or cookie parameter.
    #[inline]
    #[must_use]
    pub const fn header(name: &'static str) -> Self {
        Self { parent: None, step: Step::Root(PathRoot::Header(name)), secret: false }
    }
}

impl Location<'_> {
    /// Returns the location of the field with this wire name.
    #[inline]
    #[must_use]
    pub const fn field(&self, name: &'static str) -> Location<'_> {
        Location { parent: Some(self), step: Step::Field(name), secret: false }
    }

    /// Returns the location of an element of a list.
    #[inline]
    #[must_use]
    pub const fn index(&self, index: usize) -> Location<'_> {
        Location { parent: Some(self), step: Step::Index(index), secret: false }
    }

    /// Returns the location of a map entry with this key.
    #[inline]
    #[must_use]
    pub const fn key<'b>(&'b self, key: &'b str) -> Location<'b> {
        Location { parent: Some(self), step: Step::Key(key), secret: false }
    }

    /// Marks the location as secret: violations then reveal neither a length, nor the name of an unknown value, nor a
    /// key below it.
    #[inline]
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// Returns whether this location or an ancestor is secret.
    pub(crate) fn is_secret(&self) -> bool {
        let mut at = Some(self);
        while let Some(here) = at {
            if here.secret {
                return true;
            }
            at = here.parent;
        }
        false
    }

    /// Returns the location as an owned path.
    #[must_use]
    pub fn to_path(&self) -> Path {
        self.path_to(&[])
    }

    /// Returns the path to this location and on to the fields `below`.
    pub(crate) fn path_to(&self, below: &'static [&'static str]) -> Path {
        let mut steps = Vec::with_capacity(self.depth() + below.len());
        steps.extend(below.iter().rev().map(|name| PathStep::Field((*name).into())));
        let (mut at, mut within) = (Some(self), PathRoot::Body);
        while let Some(here) = at {
            if here.secret {
                hide_keys(&mut steps);
            }
            match here.step {
                Step::Root(root) => within = root,
                Step::Field(name) => steps.push(PathStep::Field(name.into())),
                Step::Index(index) => steps.push(PathStep::Index(index)),
                Step::Key(key) => steps.push(PathStep::Key(key.to_owned())),
            }
            at = here.parent;
        }
        steps.reverse();
        Path::from_steps(within, steps)
    }

    /// Returns the number of steps to this location.
    fn depth(&self) -> usize {
        std::iter::successors(Some(self), |at| at.parent).count()
    }
}

/// Hides the keys of these steps, which are below a secret.
#[cold]
fn hide_keys(steps: &mut [PathStep]) {
    for step in steps {
        if matches!(step, PathStep::Key(_)) {
            *step = PathStep::RedactedKey;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let at = Location::BODY;
        assert_eq!(at.to_path().to_string(), "");
        let labels = at.field("labels");
        assert_eq!(labels.key("a b").to_path().to_string(), r#"labels["a b"]"#);
        assert_eq!(labels.path_to(&["x", "y"]).to_string(), "labels.x.y");
        assert_eq!(Location::parameter("maxResults").index(2).to_path().to_string(), "maxResults[2]");
    }

    #[test]
    fn keys_below_a_secret_are_redacted() {
        let at = Location::BODY;
        let tokens = at.field("tokens").secret();
        let token = tokens.key("hunter2");
        assert!(token.is_secret() && tokens.is_secret() && !at.is_secret());
        assert_eq!(token.to_path().to_string(), "tokens[…]");
    }
}
