//! Builder of a description's blocks from events: Markdown closes what it opens, HTML may not.

use super::{text, urls};

/// Text of a block: Markdown, with explicit line breaks.
pub type Inline = String;

/// Block of a description.
#[derive(Debug, PartialEq)]
pub enum Block {
    Paragraph(Inline),
    Heading(usize, Inline),
    Code { language: String, text: String },
    List { first: Option<u64>, items: Vec<Vec<Block>> },
    Quote(Vec<Block>),
    Table(Vec<Vec<Inline>>),
    Rule,
}

/// Container of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerKind {
    Root,
    Quote,
    List(Option<u64>),
    Item,
    Table,
    Row,
    Cell,
}

impl ContainerKind {
    /// Returns whether it is of the same kind, ignoring the start of a list.
    fn is_same_kind(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::List(_), Self::List(_)))
    }
}

/// Open container with its contents.
struct Frame {
    kind: ContainerKind,
    blocks: Vec<Block>,
    /// Items of a list, or rows of a table.
    items: Vec<Vec<Block>>,
    rows: Vec<Vec<Inline>>,
    cells: Vec<Inline>,
}

impl Frame {
    fn new(kind: ContainerKind) -> Self {
        Self { kind, blocks: Vec::new(), items: Vec::new(), rows: Vec::new(), cells: Vec::new() }
    }
}

/// Inline formatting of the text from a position.
#[derive(Debug, PartialEq)]
pub enum InlineFormat {
    /// URL of a link.
    Link(String),
    /// Markdown delimiters.
    Emphasis { signs: &'static str, is_html: bool },
}

/// Maximum nesting depth of blocks; deeper ones are added at this level.
const MAX_DEPTH: usize = 12;

/// Builder of blocks.
pub struct Builder {
    stack: Vec<Frame>,
    /// Number of open containers beyond the limit.
    skipped: usize,
    heading: Option<usize>,
    words: Inline,
    marks: Vec<(InlineFormat, usize)>,
    /// Position after the last code span, next to which another one cannot start.
    after_code: Option<usize>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            stack: vec![Frame::new(ContainerKind::Root)],
            skipped: 0,
            heading: None,
            words: String::new(),
            marks: Vec::new(),
            after_code: None,
        }
    }
}

impl Builder {
    /// Returns all blocks.
    pub fn finish(mut self) -> Vec<Block> {
        self.end_paragraph();
        while self.stack.len() > 1 {
            self.pop();
        }
        self.stack.pop().map(|frame| frame.blocks).unwrap_or_default()
    }

    /// Adds text; white space is collapsed.
    pub fn text(&mut self, text: &str) {
        let can_link = !self.marks.iter().any(|(mark, _)| matches!(mark, InlineFormat::Link(_)));
        let mut pieces = text.split(char::is_whitespace);
        if let Some(first) = pieces.next() {
            text::push_word(first, can_link, &mut self.words);
        }
        for piece in pieces {
            self.add_space();
            text::push_word(piece, can_link, &mut self.words);
        }
    }

    pub fn add_space(&mut self) {
        if !self.words.is_empty() && !self.words.ends_with([' ', '\n']) {
            self.words.push(' ');
        }
    }

    /// Adds a code span.
    pub fn code(&mut self, code: &str) {
        if self.after_code == Some(self.words.len()) {
            self.add_space();
        }
        self.words.push_str(&text::code_span(code));
        self.after_code = Some(self.words.len());
    }

    /// Ends a line; two line breaks end a paragraph.
    pub fn line_break(&mut self) {
        let trimmed = self.words.trim_end_matches(' ').len();
        self.words.truncate(trimmed);
        match self.words.chars().next_back() {
            Some('\n') => self.end_paragraph(),
            Some(_) if self.heading.is_none() => self.words.push('\n'),
            _ => self.add_space(),
        }
    }

    /// Begins inline formatting.
    pub fn open_inline(&mut self, mark: InlineFormat) {
        self.marks.push((mark, self.words.len()));
    }

    /// Ends a link.
    pub fn end_link(&mut self, base: &str) {
        let Some(at) = self.marks.iter().rposition(|(mark, _)| matches!(mark, InlineFormat::Link(_))) else { return };
        let Some((InlineFormat::Link(to), start)) = self.marks.drain(at..).next() else { return };
        let Some(to) = urls::resolve_link(&to, base) else { return };
        let words = self.words.split_off(start.min(self.words.len())).replace('\n', " ");
        let label = words.trim();
        let plain: String = label.chars().filter(|c| *c != '\\').collect();
        let link = match plain.trim_matches('`') {
            "" => format!("<{to}>"),
            words if words == to || Some(words) == to.strip_prefix("mailto:") => format!("<{words}>"),
            _ => format!("[{label}]({to})"),
        };
        // White space stays outside of the link.
        if words.starts_with(' ') {
            self.add_space();
        }
        self.words.push_str(&link);
        if words.ends_with(' ') && !label.is_empty() {
            self.add_space();
        }
    }

    /// Ends emphasis.
    pub fn end_emphasis(&mut self, signs: &str) {
        let is = |mark: &InlineFormat| matches!(mark, InlineFormat::Emphasis { signs: open, .. } if *open == signs);
        let Some(at) = self.marks.iter().rposition(|(mark, _)| is(mark)) else { return };
        // Nested formatting has ended with it, except a link, which continues.
        let (mark, start) = self.marks.remove(at);
        let InlineFormat::Emphasis { is_html, .. } = mark else { return };
        if is_html && self.marks.iter().any(|(mark, _)| matches!(mark, InlineFormat::Emphasis { .. })) {
            return;
        }
        let Some((before, inner)) = self.words.split_at_checked(start) else { return };
        let (lead, words) = (before.chars().next_back(), inner.trim());
        let ends = [words.chars().next(), words.chars().next_back()];
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        // `projects/*/notes/*` and `2*3*4` are not emphasis, although Markdown parses them as such.
        let is_pattern = !is_html && (ends.contains(&Some('/')) || lead == Some('/') || is_word(lead));
        let fits = if is_html {
            !is_word(lead) && ends.iter().all(|end| is_word(*end))
        } else {
            !words.is_empty() && words.len() == inner.len()
        };
        let signs = match (is_pattern, fits) {
            (true, _) => signs.replace('*', "\\*"),
            (false, true) if !words.contains('\n') => signs.to_owned(),
            _ => return,
        };
        let end = start + inner.trim_end().len();
        let start = start + inner.len() - inner.trim_start().len();
        self.words.insert_str(end, &signs);
        self.words.insert_str(start, &signs);
    }

    /// Begins a heading.
    pub fn open_heading(&mut self, level: usize) {
        self.end_paragraph();
        self.heading = Some(level);
    }

    pub fn close_heading(&mut self) {
        self.end_paragraph();
        self.heading = None;
    }

    /// Ends a paragraph.
    pub fn end_paragraph(&mut self) {
        if self.stack.last().is_some_and(|frame| frame.kind == ContainerKind::Cell) {
            return self.add_space();
        }
        self.marks.clear();
        self.after_code = None;
        let words = std::mem::take(&mut self.words);
        let words = words.trim_matches([' ', '\n']);
        if !words.is_empty() {
            let block = match self.heading.take() {
                Some(level) => Block::Heading(level, words.replace('\n', " ")),
                None => Block::Paragraph(words.to_owned()),
            };
            self.push(block);
        }
    }

    /// Adds a block to the open container.
    pub fn push(&mut self, block: Block) {
        let Some(frame) = self.stack.last_mut() else { return };
        match (frame.kind, block) {
            (ContainerKind::List(_), block) => frame.items.push(vec![block]),
            (ContainerKind::Table, Block::Paragraph(words)) => frame.rows.push(vec![words]),
            (ContainerKind::Row, Block::Paragraph(words)) => frame.cells.push(words),
            (ContainerKind::Cell, Block::Code { text, .. }) => self.code(&text),
            (ContainerKind::Table | ContainerKind::Row | ContainerKind::Cell, _) => {}
            (_, block) => frame.blocks.push(block),
        }
    }

    /// Opens a container.
    pub fn open(&mut self, kind: ContainerKind) {
        self.end_paragraph();
        if self.is_open(ContainerKind::Cell) && !matches!(kind, ContainerKind::Row | ContainerKind::Cell)
            || self.stack.len() >= MAX_DEPTH
        {
            self.skipped += 1;
            return;
        }
        self.stack.push(Frame::new(kind));
    }

    /// Closes a container, and everything that is open within it.
    pub fn close(&mut self, kind: ContainerKind) {
        self.end_paragraph();
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let Some(at) = self.stack.iter().rposition(|frame| frame.kind.is_same_kind(kind)).filter(|at| *at > 0) else {
            return;
        };
        while self.stack.len() > at {
            self.pop();
        }
    }

    /// Returns whether a container of a kind is open.
    pub fn is_open(&self, kind: ContainerKind) -> bool {
        self.stack.iter().any(|frame| frame.kind.is_same_kind(kind))
    }

    /// Returns whether the innermost list or table has an open item or cell.
    pub fn is_within(&self, part: ContainerKind, whole: ContainerKind) -> bool {
        let at = |kind: ContainerKind| self.stack.iter().rposition(|frame| frame.kind.is_same_kind(kind));
        at(part).is_some() && at(part) > at(whole)
    }

    /// Closes the innermost container and adds it to the one around it, unless it is empty.
    fn pop(&mut self) {
        let cell = self.stack.last().is_some_and(|frame| frame.kind == ContainerKind::Cell);
        let words = if cell { std::mem::take(&mut self.words) } else { String::new() };
        self.marks.clear();
        let (Some(frame), Some(outer)) = (self.stack.pop(), self.stack.last_mut()) else { return };
        let is_empty = |rows: &[Vec<Inline>]| rows.iter().flatten().all(String::is_empty);
        match frame.kind {
            ContainerKind::Cell => outer.cells.push(words.replace('\n', " ").trim().to_owned()),
            ContainerKind::Row if !frame.cells.is_empty() => outer.rows.push(frame.cells),
            ContainerKind::Item if !frame.blocks.is_empty() => outer.items.push(frame.blocks),
            ContainerKind::List(first) if !frame.items.is_empty() => {
                self.push(Block::List { first, items: frame.items })
            }
            ContainerKind::Quote if !frame.blocks.is_empty() => self.push(Block::Quote(frame.blocks)),
            ContainerKind::Table if !is_empty(&frame.rows) => self.push(Block::Table(frame.rows)),
            _ => {}
        }
    }
}
