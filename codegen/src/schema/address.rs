//! Where an API answers beside its root: endpoints, and the path of batches.

use super::read::{Located, Text};
use super::shape::{Shorthand, shape};
use crate::diagnostics::Span;

shape! {
    /// Another public address of the API. Paths are the same there.
    EndpointDef "endpoint" {
        /// The address, in place of `root`.
        url "url": Text = "https://us-central1.example.com";
        /// What is special about it, in one sentence.
        doc "doc": Option<Text> = "The data stay in the region.";
        /// The region it is in, where its name does not say that.
        location "location": Option<Text> = "us-central1";
    }
}

impl Shorthand for EndpointDef {
    const KEY: &'static str = "url";
    type Short = Text;

    fn expand(url: Text, span: Span) -> Self {
        Self { span, url, doc: None, location: None }
    }
}

shape! {
    /// How several requests are sent in one: as the parts of a `multipart/mixed` body, each of them a request of its own.
    BatchDef "batch" {
        /// The path, below the root of the API and not below its base path.
        path "path": Text = "/batch/calendar/v3";
        /// How many requests a batch holds at the most; 100 unless said.
        max "max": Option<Located<i128>> = "50";
    }
}

impl Shorthand for BatchDef {
    const KEY: &'static str = "path";
    type Short = Text;

    fn expand(path: Text, span: Span) -> Self {
        Self { span, path, max: None }
    }
}
