//! Attribution of schema diagnostics to an overlay.

use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema::yaml::{self, Node};
use wireform_codegen::{Diagnostic, Source};

use super::Overlay;
use crate::OverlayError;

impl Overlay {
    /// Maps a diagnostic of the resulting schema to the location in the overlay that causes it.
    #[must_use]
    pub fn locate(&self, diagnostic: &Diagnostic, sources: &[Source]) -> OverlayError {
        let whole =
            sources.get(diagnostic.span.file as usize).and_then(|file| yaml::parse(0, &file.text, &mut Sink::new()));
        let path = whole.as_ref().map_or_else(Vec::new, |whole| path_to(whole, diagnostic.span.start));
        let parts = [&self.change, &self.add].into_iter().flatten();
        let (depth, start) =
            parts.filter_map(|part| deepest(part, &path)).max_by_key(|found| found.0).unwrap_or((0, 0));
        let help = diagnostic.help.iter().map(|help| format!("; {help}")).collect::<String>();
        let problem = format!("{}: {}{help}", diagnostic.code.text(), diagnostic.message);
        self.error(start, &path[..depth], &problem)
    }
}

/// Returns the keys that lead to a location in a text.
fn path_to(node: &Node, start: u32) -> Vec<&str> {
    let mut path = Vec::new();
    let mut node = node;
    while let yaml::Value::Map(entries) = &node.value {
        let is_in = |entry: &&yaml::Entry| (entry.key_span.start..entry.value.span.end).contains(&start);
        let Some(entry) = entries.iter().find(is_in) else { break };
        path.push(entry.key.as_str());
        node = &entry.value;
    }
    path
}

/// Returns how many keys of a path an overlay has, and the location of the last; `None` if it has none.
fn deepest(part: &Node, path: &[&str]) -> Option<(usize, u32)> {
    let (mut node, mut found) = (part, None);
    for (at, key) in path.iter().enumerate() {
        let yaml::Value::Map(entries) = &node.value else { break };
        let Some(entry) = entries.iter().find(|entry| entry.key == *key) else { break };
        found = Some((at + 1, entry.key_span.start));
        node = &entry.value;
    }
    found
}
