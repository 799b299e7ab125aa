//! Where a value stands while it is checked: a list of names and indices that lives on the stack.

use crate::path::{Path, PathStep, Within};

/// A place in a value that is being checked.
///
/// Each place points to the one above it, so that going down costs a few words on the stack and nothing is
/// allocated until there is something to say.
///
/// ```
/// use wireform_validation::At;
///
/// let at = At::BODY;
/// let attendees = at.member("attendees");
/// let attendee = attendees.index(3);
/// assert_eq!(attendee.member("email").to_path().to_string(), "attendees[3].email");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    above: Option<&'a At<'a>>,
    step: Step<'a>,
    secret: bool,
}

/// The last step on the way to a place.
#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root(Within),
    Member(&'static str),
    Index(usize),
    Key(&'a str),
}

impl At<'static> {
    /// The body of a request or an answer, or the only value there is.
    pub const BODY: Self = Self { above: None, step: Step::Root(Within::Body), secret: false };

    /// Creates a parameter of the path or the query, by its wire name.
    #[inline]
    #[must_use]
    pub const fn parameter(name: &'static str) -> Self {
        Self { above: None, step: Step::Root(Within::Parameter(name)), secret: false }
    }

    /// Creates a header or a cookie that is a parameter.
    #[inline]
    #[must_use]
    pub const fn header(name: &'static str) -> Self {
        Self { above: None, step: Step::Root(Within::Header(name)), secret: false }
    }
}

impl At<'_> {
    /// Returns the member of that wire name.
    #[inline]
    #[must_use]
    pub const fn member(&self, name: &'static str) -> At<'_> {
        At { above: Some(self), step: Step::Member(name), secret: false }
    }

    /// Returns the element of a list.
    #[inline]
    #[must_use]
    pub const fn index(&self, index: usize) -> At<'_> {
        At { above: Some(self), step: Step::Index(index), secret: false }
    }

    /// Returns the value that a map has under a key.
    #[inline]
    #[must_use]
    pub const fn key<'b>(&'b self, key: &'b str) -> At<'b> {
        At { above: Some(self), step: Step::Key(key), secret: false }
    }

    /// Returns the same place, about whose value nothing is told but that it is wrong: no length, no name of an unknown
    /// value, no key below it.
    #[inline]
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// Returns whether this place, or one above it, is secret.
    pub(crate) fn is_secret(&self) -> bool {
        let mut at = Some(self);
        while let Some(here) = at {
            if here.secret {
                return true;
            }
            at = here.above;
        }
        false
    }

    /// Returns the place as a value of its own.
    #[must_use]
    pub fn to_path(&self) -> Path {
        self.path(&[])
    }

    /// Returns the path to this place and down the members `below`.
    pub(crate) fn path(&self, below: &'static [&'static str]) -> Path {
        let mut steps = Vec::with_capacity(self.depth() + below.len());
        steps.extend(below.iter().rev().map(|name| PathStep::Member((*name).into())));
        let (mut at, mut within) = (Some(self), Within::Body);
        while let Some(here) = at {
            if here.secret {
                hide_keys(&mut steps);
            }
            match here.step {
                Step::Root(root) => within = root,
                Step::Member(name) => steps.push(PathStep::Member(name.into())),
                Step::Index(index) => steps.push(PathStep::Index(index)),
                Step::Key(key) => steps.push(PathStep::Key(key.to_owned())),
            }
            at = here.above;
        }
        steps.reverse();
        Path::from_steps(within, steps)
    }

    /// Returns how many steps lead here.
    fn depth(&self) -> usize {
        std::iter::successors(Some(self), |at| at.above).count()
    }
}

/// Hides the keys of these steps, which are below a secret.
#[cold]
fn hide_keys(steps: &mut [PathStep]) {
    for step in steps {
        if matches!(step, PathStep::Key(_)) {
            *step = PathStep::Hidden;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let at = At::BODY;
        assert_eq!(at.to_path().to_string(), "");
        let labels = at.member("labels");
        assert_eq!(labels.key("a b").to_path().to_string(), r#"labels["a b"]"#);
        assert_eq!(labels.path(&["x", "y"]).to_string(), "labels.x.y");
        assert_eq!(At::parameter("maxResults").index(2).to_path().to_string(), "maxResults[2]");
    }

    #[test]
    fn keys_below_a_secret_are_not_told() {
        let at = At::BODY;
        let tokens = at.member("tokens").secret();
        let token = tokens.key("hunter2");
        assert!(token.is_secret() && tokens.is_secret() && !at.is_secret());
        assert_eq!(token.to_path().to_string(), "tokens[…]");
    }
}
