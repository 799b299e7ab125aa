//! Writer: blocks → canonical Markdown.

use super::Block;
use super::text::{can_start_line, code_span, escape_line_start, longest_run};

/// Maximum line width of a paragraph among other blocks, in characters.
const MAX_WIDTH: usize = 100;

/// Writes blocks. A single paragraph is one line; among others it is wrapped.
pub fn document(blocks: &[Block]) -> String {
    match blocks {
        [Block::Paragraph(words)] if !words.contains('\n') => escape_line_start(words),
        blocks => lines(blocks, MAX_WIDTH).join("\n"),
    }
}

/// Writes the text of blocks as one paragraph.
pub fn paragraph(blocks: &[Block]) -> String {
    let mut words = Vec::new();
    flatten(blocks, &mut words);
    escape_line_start(&words.join(" "))
}

/// Adds the text of each block, without the structure of lists, quotations and tables.
fn flatten(blocks: &[Block], words: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Paragraph(text) | Block::Heading(_, text) => words.push(text.replace('\n', " ")),
            Block::Code { text, .. } => words.push(code_span(text)),
            Block::List { items, .. } => items.iter().for_each(|item| flatten(item, words)),
            Block::Quote(blocks) => flatten(blocks, words),
            Block::Table(rows) => words.extend(rows.iter().flatten().filter(|cell| !cell.is_empty()).cloned()),
            Block::Rule => {}
        }
    }
}

/// Writes blocks as lines, wrapped at a width, with an empty line between blocks.
fn lines(blocks: &[Block], width: usize) -> Vec<String> {
    let mut out = Vec::new();
    // Consecutive lists alternate their markers.
    let mut marks = false;
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            out.push(String::new());
        }
        let follows = index > 0
            && matches!((&blocks[index - 1], block), (Block::List { first: a, .. }, Block::List { first: b, .. }) if a.is_some() == b.is_some());
        marks = follows && !marks;
        out.extend(format_block(block, width, marks));
    }
    out
}

fn format_block(block: &Block, width: usize, other_marks: bool) -> Vec<String> {
    match block {
        Block::Paragraph(words) => wrap_paragraph(words, width),
        Block::Heading(level, words) => vec![format!("{} {words}", "#".repeat(*level))],
        Block::Rule => vec!["---".to_owned()],
        Block::Quote(blocks) => {
            let line = |line: String| if line.is_empty() { ">".to_owned() } else { format!("> {line}") };
            lines(blocks, width.saturating_sub(2)).into_iter().map(line).collect()
        }
        Block::Code { language, text } => {
            let marks = "`".repeat(3.max(1 + longest_run(text)));
            let shown = |line: &str| -> String {
                line.replace('\t', "    ").trim_end().chars().map(super::text::replace_invisible).collect()
            };
            let inner: Vec<String> = text.trim_end().lines().map(shown).skip_while(String::is_empty).collect();
            let head = format!("{marks}{language}");
            [head].into_iter().chain(inner).chain([marks]).collect()
        }
        Block::List { first, items } => format_list(*first, items, width, other_marks),
        Block::Table(rows) => format_table(rows),
    }
}

fn format_list(first: Option<u64>, items: &[Vec<Block>], width: usize, other_marks: bool) -> Vec<String> {
    let is_tight = |item: &Vec<Block>| {
        matches!(item.as_slice(), [Block::Paragraph(_)] | [Block::Paragraph(_), Block::List { .. }])
    };
    let tight = items.iter().all(is_tight);
    let mut out = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let mark = match first {
            Some(first) => {
                let number = first.saturating_add(index as u64).min(999_999_999);
                format!("{number}{} ", if other_marks { ")" } else { "." })
            }
            None => (if other_marks { "- " } else { "* " }).to_owned(),
        };
        if index > 0 && !tight {
            out.push(String::new());
        }
        let pad = " ".repeat(mark.len());
        let mut inner = lines(item, width.saturating_sub(mark.len()));
        if tight {
            // A nested list follows the paragraph of its item.
            let gap = inner.iter().position(String::is_empty);
            gap.map(|gap| inner.remove(gap));
        }
        let indented = inner.into_iter().enumerate().map(|(at, line)| match (at, line.is_empty()) {
            (0, _) => format!("{mark}{line}"),
            (_, true) => line,
            _ => format!("{pad}{line}"),
        });
        out.extend(indented);
    }
    out
}

fn format_table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let line = |row: &Vec<String>| {
        let cells = row.iter().map(|cell| escape_cell(cell)).chain(std::iter::repeat(String::new()));
        let cells: Vec<String> = cells.take(columns).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.insert(1.min(lines.len()), format!("|{}", " --- |".repeat(columns)));
    lines
}

/// Escapes a cell of a table.
fn escape_cell(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut is_escaped = false;
    for c in cell.chars() {
        if c == '|' && !is_escaped {
            out.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        out.push(c);
    }
    out
}

/// Wraps a paragraph into lines.
fn wrap_paragraph(words: &str, width: usize) -> Vec<String> {
    let mut out = Vec::new();
    let parts: Vec<&str> = words.split('\n').collect();
    for (index, part) in parts.iter().enumerate() {
        let part = escape_line_start(part);
        let mut line = String::new();
        let mut length = 0;
        for word in part.split(' ') {
            let more = word.chars().count();
            if !line.is_empty() && length + 1 + more > width && can_start_line(word) {
                out.push(std::mem::take(&mut line));
                length = 0;
            } else if !line.is_empty() {
                line.push(' ');
                length += 1;
            }
            line.push_str(word);
            length += more;
        }
        if index + 1 < parts.len() {
            line.push('\\');
        }
        out.push(line);
    }
    out
}
