//! The constructs of a schema file with their spans, one module for each construct.
//!
//! This stage checks syntax only. Whether a type exists, a name is unique or a default fits its type is checked in
//! `resolve`.

pub mod behavior;
mod body;
mod deprecation;
pub mod endpoints;
pub mod enums;
pub mod field;
pub mod file;
pub mod foreign_syntax;
pub mod http;
pub(crate) mod integer;
pub mod keys;
pub mod kind;
pub mod listing;
pub mod long_running;
pub mod methods;
mod named;
pub mod operation;
pub mod profile;
pub mod read;
pub mod resource;
pub mod security;
pub mod sets;
pub mod shape;
pub mod text;
pub mod types;
pub mod union;
pub mod write;
pub mod xml;
pub mod yaml;

pub use deprecation::Deprecation;
pub use enums::{EnumDef, EnumValue};
pub use field::{Field, Format, KnownValue, Parameter};
pub use file::{FeatureGranularity, File};
pub use http::{HttpLine, PathSegment};
pub use named::Named;
pub use operation::Operation;
pub use read::Text;
pub use resource::Resource;
pub use union::Union;

use crate::diagnostics::{Code, Sink, Source, Span};
use read::Read as _;

/// Reads a schema file. A root value that is not a mapping has a diagnostic of its own.
fn read_file(node: &yaml::Node, sink: &mut Sink) -> Option<File> {
    if !matches!(node.value, yaml::Value::Map(_)) {
        sink.report(
            Code::OneDocument,
            node.span,
            format!("expected a mapping at the top level, found {}", node.describe()),
        )
        .help("start with keys such as `api:`, `resources:` or `operations:`");
        return None;
    }
    File::read(node, sink)
}

/// Reads all sources. Files with errors are omitted after reporting the errors.
pub fn read_files(sources: &[Source], sink: &mut Sink) -> Vec<File> {
    use rayon::prelude::*;
    let read: Vec<(Option<File>, Sink)> = sources
        .par_iter()
        .enumerate()
        .map(|(index, source)| {
            let mut sink = Sink::new();
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            if let Some(at) = source.invalid_utf8_at {
                let span = Span { file: index, start: at, end: at };
                sink.report(Code::YamlSyntax, span, "invalid UTF-8")
                    .help("save the file as UTF-8 without a byte order mark");
                return (None, sink);
            }
            let file = yaml::parse(index, &source.text, &mut sink).and_then(|node| read_file(&node, &mut sink));
            (file, sink)
        })
        .collect();
    let mut files = Vec::with_capacity(read.len());
    for (file, one) in read {
        sink.extend(one);
        files.extend(file);
    }
    files
}
