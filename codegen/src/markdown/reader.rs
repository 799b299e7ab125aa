//! Parser: Markdown with HTML → blocks.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, TextMergeWithOffset};

use super::Block;
use super::builder::{Builder, ContainerKind, InlineFormat};
use super::html::{self, Token};
use super::languages::language;

/// Parses a description. HTML is text unless the description is of a document, whose URL is given.
pub fn read(text: &str, document: Option<&str>) -> Vec<Block> {
    let text = text.trim();
    let mut reader =
        Reader { text, document, builder: Builder::default(), raw: None, processed_to: 0, block: String::new() };
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    for (event, range) in TextMergeWithOffset::new(parser) {
        if range.start >= reader.processed_to {
            reader.event(event, range);
        }
    }
    reader.end_raw();
    reader.builder.finish()
}

/// Converts the events of the Markdown parser to calls of the builder.
struct Reader<'t> {
    text: &'t str,
    document: Option<&'t str>,
    builder: Builder,
    /// Code block in progress, with its language.
    raw: Option<(String, String)>,
    /// Position up to which tags have been processed.
    processed_to: usize,
    /// HTML of a block.
    block: String,
}

impl Reader<'_> {
    /// Handles an event of the Markdown parser, at a range of the text.
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Html(html) => self.block.push_str(&html),
            Event::End(TagEnd::HtmlBlock) => {
                let html = std::mem::take(&mut self.block);
                self.html_block(&html);
            }
            Event::Text(text) | Event::Code(text) if self.raw.is_some() => self.raw_text(&text),
            Event::SoftBreak | Event::HardBreak | Event::Start(Tag::Paragraph) if self.raw.is_some() => {
                self.raw_text("\n")
            }
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.builder.text(&text),
            Event::Code(code) => self.builder.code(&code),
            Event::SoftBreak => self.builder.add_space(),
            Event::HardBreak => self.builder.line_break(),
            Event::Rule => {
                self.builder.end_paragraph();
                self.builder.push(Block::Rule);
            }
            Event::InlineHtml(tag) if self.document.is_some() => self.inline_html(&tag, range.end),
            Event::InlineHtml(tag) => self.builder.text(&tag),
            Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => {}
        }
    }

    fn raw_text(&mut self, text: &str) {
        if let Some((_, code)) = &mut self.raw {
            code.push_str(text);
        }
    }

    fn end_raw(&mut self) {
        if let Some((language, text)) = self.raw.take() {
            self.builder.end_paragraph();
            self.builder.push(Block::Code { language, text });
        }
    }

    /// Opens the block or inline format of a Markdown tag; unsupported ones are left out.
    fn start(&mut self, tag: Tag<'_>) {
        let builder = &mut self.builder;
        match tag {
            Tag::Paragraph => builder.end_paragraph(),
            Tag::Heading { level, .. } => builder.open_heading(level as usize),
            Tag::BlockQuote(_) => builder.open(ContainerKind::Quote),
            Tag::CodeBlock(kind) => {
                let info = match &kind {
                    CodeBlockKind::Fenced(info) => language(info),
                    CodeBlockKind::Indented => "text",
                };
                self.raw = Some((info.to_owned(), String::new()));
            }
            Tag::List(first) => builder.open(ContainerKind::List(first)),
            Tag::Item => builder.open(ContainerKind::Item),
            Tag::Table(_) => builder.open(ContainerKind::Table),
            Tag::TableHead | Tag::TableRow => builder.open(ContainerKind::Row),
            Tag::TableCell => builder.open(ContainerKind::Cell),
            Tag::Emphasis => builder.open_inline(InlineFormat::Emphasis { signs: "*", is_html: false }),
            Tag::Strong => builder.open_inline(InlineFormat::Emphasis { signs: "**", is_html: false }),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                builder.open_inline(InlineFormat::Link(dest_url.into_string()))
            }
            _ => {}
        }
    }

    /// Closes the block or inline format of a Markdown tag.
    fn end(&mut self, tag: TagEnd) {
        let builder = &mut self.builder;
        match tag {
            TagEnd::Paragraph => builder.end_paragraph(),
            TagEnd::Heading(_) => builder.close_heading(),
            TagEnd::BlockQuote(_) => builder.close(ContainerKind::Quote),
            TagEnd::CodeBlock => self.end_raw(),
            TagEnd::List(_) => builder.close(ContainerKind::List(None)),
            TagEnd::Item => builder.close(ContainerKind::Item),
            TagEnd::Table => builder.close(ContainerKind::Table),
            TagEnd::TableHead | TagEnd::TableRow => builder.close(ContainerKind::Row),
            TagEnd::TableCell => builder.close(ContainerKind::Cell),
            TagEnd::Emphasis => builder.end_emphasis("*"),
            TagEnd::Strong => builder.end_emphasis("**"),
            TagEnd::Link | TagEnd::Image => builder.end_link(self.document.unwrap_or_default()),
            _ => {}
        }
    }

    /// Processes an inline tag. The content of code elements is taken verbatim.
    fn inline_html(&mut self, tag: &str, end: usize) {
        let Some(token) = html::tokenize(tag).first().copied() else { return };
        if let Token::Open(name, ..) = token
            && matches!(name.to_ascii_lowercase().as_str(), "code" | "tt" | "samp")
        {
            let rest = self.text.get(end..).unwrap_or_default();
            let closing = format!("</{name}>");
            let near = rest.char_indices().nth(2000).map_or(rest, |(at, _)| rest.get(..at).unwrap_or_default());
            if let Some(at) = near.find(&closing) {
                self.builder.code(&html::strip_tags(rest.get(..at).unwrap_or_default()));
                self.processed_to = end + at + closing.len();
            }
            return;
        }
        self.token(token);
    }

    /// Processes a block of HTML.
    fn html_block(&mut self, html: &str) {
        if self.document.is_none() {
            self.builder.end_paragraph();
            self.builder.text(html);
            return self.builder.end_paragraph();
        }
        let tokens = html::tokenize(html);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            let Token::Open(name, ..) = token else {
                self.token(*token);
                continue;
            };
            let is_closing = |token: &Token<'_>| matches!(token, Token::Close(close, _) if close == name);
            let code = matches!(name.to_ascii_lowercase().as_str(), "code" | "tt" | "samp" | "script" | "style");
            let length = tokens.iter().skip(at).take(64).position(is_closing).filter(|_| code && self.raw.is_none());
            let Some(length) = length else {
                self.token(*token);
                continue;
            };
            if !matches!(*name, "script" | "style") {
                let inner = tokens.get(at..at + length).unwrap_or_default();
                self.builder.code(&inner.iter().map(token_source).collect::<String>());
            }
            at += length + 1;
        }
        if self.raw.is_none() {
            self.builder.add_space();
        }
    }

    /// Handles a piece of HTML. Unknown tags become text; in a code block, known ones are removed.
    fn token(&mut self, token: Token<'_>) {
        match token {
            Token::Comment => {}
            Token::Text(text) if self.raw.is_some() => self.raw_text(&html::decode_entities(text)),
            Token::Text(text) => self.add_text(&html::decode_entities(text)),
            Token::Open(name, attributes, whole) => {
                let name = name.to_ascii_lowercase();
                if self.raw.is_some() {
                    let text = if name == "br" {
                        "\n"
                    } else if html::is_known(&name) {
                        ""
                    } else {
                        whole
                    };
                    return self.raw_text(text);
                }
                if html::is_known(&name) { self.open_tag(&name, attributes) } else { self.builder.text(whole) }
            }
            Token::Close(name, whole) => {
                let name = name.to_ascii_lowercase();
                match html::is_known(&name) {
                    true => self.close_tag(&name),
                    false if self.raw.is_some() => self.raw_text(whole),
                    false => self.builder.text(whole),
                }
            }
        }
    }

    /// Adds text between tags, which may contain code spans in backticks.
    fn add_text(&mut self, text: &str) {
        if text.matches('`').count() % 2 == 1 || text.contains("``") {
            return self.builder.text(text);
        }
        for (index, piece) in text.split('`').enumerate() {
            if index % 2 == 1 && !piece.trim().is_empty() { self.builder.code(piece) } else { self.builder.text(piece) }
        }
    }

    fn open_tag(&mut self, name: &str, attributes: &str) {
        let builder = &mut self.builder;
        match name {
            "a" => builder.open_inline(InlineFormat::Link(html::attribute(attributes, "href").unwrap_or_default())),
            "b" | "strong" => builder.open_inline(InlineFormat::Emphasis { signs: "**", is_html: true }),
            "i" | "em" | "var" | "cite" | "dfn" => {
                builder.open_inline(InlineFormat::Emphasis { signs: "*", is_html: true })
            }
            "sup" => builder.text("^"),
            "img" => builder.text(&html::attribute(attributes, "alt").unwrap_or_default()),
            "br" => builder.line_break(),
            "hr" => {
                builder.end_paragraph();
                builder.push(Block::Rule);
            }
            "pre" => {
                builder.end_paragraph();
                self.raw = Some(("text".to_owned(), String::new()));
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                builder.open_heading(name.trim_start_matches('h').parse().unwrap_or(1));
            }
            "blockquote" => builder.open(ContainerKind::Quote),
            "ul" | "dl" => builder.open(ContainerKind::List(None)),
            "ol" => builder.open(ContainerKind::List(Some(1))),
            "li" | "dt" => {
                if builder.is_within(ContainerKind::Item, ContainerKind::List(None)) {
                    builder.close(ContainerKind::Item);
                }
                builder.open(ContainerKind::Item);
            }
            "table" => builder.open(ContainerKind::Table),
            "tr" if builder.is_open(ContainerKind::Table) => {
                if builder.is_within(ContainerKind::Row, ContainerKind::Table) {
                    builder.close(ContainerKind::Row);
                }
                builder.open(ContainerKind::Row);
            }
            "td" | "th" if builder.is_open(ContainerKind::Row) => {
                if builder.is_within(ContainerKind::Cell, ContainerKind::Row) {
                    builder.close(ContainerKind::Cell);
                }
                builder.open(ContainerKind::Cell);
            }
            name if html::is_block(name) => builder.end_paragraph(),
            _ => {}
        }
    }

    fn close_tag(&mut self, name: &str) {
        let builder = &mut self.builder;
        match name {
            "pre" => self.end_raw(),
            "a" => builder.end_link(self.document.unwrap_or_default()),
            "b" | "strong" => builder.end_emphasis("**"),
            "i" | "em" | "var" | "cite" | "dfn" => builder.end_emphasis("*"),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => builder.close_heading(),
            "blockquote" => builder.close(ContainerKind::Quote),
            "ul" | "dl" | "ol" => builder.close(ContainerKind::List(None)),
            "li" => builder.close(ContainerKind::Item),
            "table" => builder.close(ContainerKind::Table),
            "tr" => builder.close(ContainerKind::Row),
            "td" | "th" => builder.close(ContainerKind::Cell),
            name if html::is_block(name) => builder.end_paragraph(),
            _ => {}
        }
    }
}

/// Returns the source of a token within code.
fn token_source(token: &Token<'_>) -> String {
    match token {
        Token::Text(text) => html::decode_entities(text),
        Token::Open(name, _, whole) | Token::Close(name, whole) if !html::is_known(name) => (*whole).to_owned(),
        _ => String::new(),
    }
}
