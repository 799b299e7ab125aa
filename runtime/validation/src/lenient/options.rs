//! Options of the lenient reading of a body.

use wireform_runtime::fields::Shape;

use crate::context::ValidationContext;
use crate::source_lines::SourceLines;
use crate::validates::Validates;

/// Options of reading and validating a body.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions<'a> {
    /// Context of the validation.
    pub context: ValidationContext<'a>,
    /// Limits for an invalid body.
    pub limits: ReadLimits,
    /// Shape of the body.
    pub shape: Option<&'static Shape>,
    /// Lines of the schema.
    pub sources: &'static SourceLines,
    /// True if warnings about a valid body get their position in the text. It requires a second pass over the text,
    /// which a server that discards them avoids.
    pub locate_warnings: bool,
}

/// Limits on the work of finding all violations of an invalid body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Maximum number of values, including lists and objects. Only the first error of a larger body is reported.
    pub max_values: usize,
    /// Maximum number of times that the body is decoded, once for each field with a wrong type.
    pub max_rounds: usize,
    /// Maximum number of bytes that are decoded in all rounds together. Two rounds are always allowed.
    pub max_bytes: usize,
}

impl ReadLimits {
    /// Default limits: sufficient for any body that a person writes, and small enough to bound the work of a hostile
    /// one.
    pub const DEFAULT: Self = Self { max_values: 100_000, max_rounds: 64, max_bytes: 16 << 20 };
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<'a> ReadOptions<'a> {
    /// Creates options with a context, without the fields of a type and their lines in the schema.
    #[must_use]
    pub const fn new(context: ValidationContext<'a>) -> Self {
        let (shape, sources) = (None, &SourceLines::NONE);
        Self { context, limits: ReadLimits::DEFAULT, shape, sources, locate_warnings: true }
    }

    /// Creates options with a context, and with the fields of `T` and their lines in the schema, which `V` knows.
    #[must_use]
    pub const fn for_type<T: ?Sized, V: Validates<T>>(context: ValidationContext<'a>) -> Self {
        Self { shape: V::SHAPE, sources: V::SOURCES, ..Self::new(context) }
    }

    /// Disables the positions of warnings about a valid body, which then are in the order of the schema.
    #[must_use]
    pub const fn without_warning_positions(mut self) -> Self {
        self.locate_warnings = false;
        self
    }
}
