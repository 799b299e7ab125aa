//! Endpoints of an API in addition to its root, and the path of batches.

use super::read::{Located, Text};
use super::shape::{Shorthand, shape};
use crate::diagnostics::Span;

shape! {
    /// A further public base URL of the API, with the same paths.
    EndpointDef "endpoint" {
        /// The URL, in place of `root`.
        url "url": Text = "https://us-central1.example.com";
        /// What distinguishes the endpoint, in one sentence.
        doc "doc": Option<Text> = "The data stay in the region.";
        /// The region of the endpoint, if the name does not say it.
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
    /// How batches are sent: a `multipart/mixed` body whose parts are requests.
    BatchDef "batch" {
        /// The path, relative to the root of the API and not to its base path.
        path "path": Text = "/batch/calendar/v3";
        /// Further paths that servers accept.
        aliases "aliases": Vec<Text> = "[/batch]";
        /// The maximum number of requests in a batch; default 100.
        max "max": Option<Located<i128>> = "50";
    }
}

impl Shorthand for BatchDef {
    const KEY: &'static str = "path";
    type Short = Text;

    fn expand(path: Text, span: Span) -> Self {
        Self { span, path, aliases: Vec::new(), max: None }
    }
}
