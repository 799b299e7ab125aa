//! Values of a seed file with their locations, and the errors of a file.

use std::fmt::Display;

use anyhow::bail;
use serde_saphyr::{Location, Spanned};

use super::relative::SeedText;

/// Errors of a seed, which are reported together.
#[derive(Debug, Default)]
pub struct Errors(Vec<(Location, String)>);

impl Errors {
    /// Adds an error at a location.
    pub fn add(&mut self, at: Location, error: impl Display) {
        self.0.push((at, error.to_string()));
    }

    /// Adds an error that repeats the value.
    pub fn invalid(&mut self, at: &Spanned<String>, error: &str) {
        self.add(at.defined, format_args!("`{}`: {error}", at.value));
    }

    /// Parses a value; returns `None` after adding the error of an invalid one.
    pub fn read<T>(&mut self, at: &Spanned<String>, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        parse(&at.value).map_err(|error| self.invalid(at, &error)).ok()
    }

    /// Parses a value if there is one; returns `None` after adding the error of an invalid one.
    pub fn optional<T>(
        &mut self,
        at: Option<&Spanned<String>>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<Option<T>> {
        match at {
            Some(at) => self.read(at, parse).map(Some),
            None => Some(None),
        }
    }

    /// Parses several values; returns those that are valid.
    pub fn read_all<T>(&mut self, all: &[Spanned<String>], parse: impl Fn(&str) -> Result<T, String>) -> Vec<T> {
        all.iter().filter_map(|one| self.read(one, &parse)).collect()
    }

    /// Returns an error with all errors, in the order of their locations and with the path of the file.
    pub fn into_result(mut self, seed: &SeedText<'_>) -> anyhow::Result<()> {
        self.0.sort_by_key(|(at, _)| (at.line(), at.column()));
        let lines = self.0.iter().map(|(at, error)| format!("{}: {error}", seed.place(*at)));
        match lines.collect::<Vec<_>>().join("\n") {
            lines if lines.is_empty() => Ok(()),
            lines => bail!(lines),
        }
    }
}
