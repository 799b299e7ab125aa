//! Rendering of diagnostics for people: file, line, column, the source line with a caret, advice.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity, Source, Span};

impl Diagnostic {
    /// Renders the diagnostic for a terminal, with colors if `color` is set.
    #[must_use]
    pub fn render(&self, sources: &[Source], color: bool) -> String {
        let level = match self.code.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(self.message.as_str()).id(self.code.text()));
        group = group.elements(self.snippets(sources));
        group = group.elements(self.help.iter().map(|text| Level::HELP.message(text.as_str())));
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }

    /// Creates one snippet for each file: first the file of the diagnostic, then those of related locations.
    fn snippets<'a>(&'a self, sources: &'a [Source]) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
        let mut files = vec![self.span.file];
        for (span, _) in &self.related {
            if !files.contains(&span.file) {
                files.push(span.file);
            }
        }
        files
            .into_iter()
            .filter_map(|file| {
                let source = sources.get(file as usize)?;
                let mut snippet = Snippet::source(&*source.text).path(source.path.as_str());
                if self.span.file == file {
                    let mark = AnnotationKind::Primary.span(clip(self.span, &source.text));
                    snippet = snippet.annotation(mark.label(self.label.as_deref()));
                }
                for (span, text) in self.related.iter().filter(|(span, _)| span.file == file) {
                    let mark = AnnotationKind::Context.span(clip(*span, &source.text));
                    snippet = snippet.annotation(mark.label(text.as_str()));
                }
                Some(snippet)
            })
            .collect()
    }

    /// Returns the line and column of the diagnostic, both counted from 1, the column in characters.
    #[must_use]
    pub fn line_column(&self, sources: &[Source]) -> (usize, usize) {
        let Some(source) = sources.get(self.span.file as usize) else { return (1, 1) };
        let before = &source.text[..clip(self.span, &source.text).start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// Clips a span to character boundaries of the text and to one line: a caret under the first line is enough, and a
/// mapping of a thousand lines is not repeated. A span at the end of the text moves to the end of the last line,
/// because there is no line after it.
fn clip(span: Span, text: &str) -> std::ops::Range<usize> {
    let start = floor_boundary(text, span.start as usize);
    if start == text.len() && text.ends_with('\n') {
        return start - 1..start - 1;
    }
    let mut end = floor_boundary(text, (span.end as usize).max(start));
    if let Some(line) = text[start..end].find('\n') {
        end = start + line;
    }
    start..end
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
