//! Tokens → formatted text without a syntax tree, for what most items are made of.
//!
//! A parser that knows all of Rust, and a tree of all that it found, take most of the time of generating, and items
//! are made of few constructs. These are read here word by word, and written with the same groups and breaks as the
//! formatter has for them, so that the text is the formatter's to the byte; tests hold items of all widths, and all
//! that is generated, against it. Where an item has anything else, the formatter formats it.
//!
//! ```text
//! tokens ─▶ text ─▶ lexer ─▶ words ─▶ items … ─▶ pieces ─▶ page ─▶ lines
//! ```

mod atoms;
mod attributes;
mod conditions;
mod expressions;
mod functions;
mod items;
mod lexer;
mod macros;
mod page;
mod patterns;
mod statements;
mod types;
mod writer;

#[cfg(test)]
mod tests;

use writer::Writer;

/// Adds the formatted text of items that are written as tokens are, each behind some text; false, and nothing is added,
/// if there is something in them that is not known here.
pub fn write(behind: &str, text: &str, out: &mut String) -> bool {
    let begun = out.len();
    let known = items(behind, text, out).is_some();
    if !known {
        out.truncate(begun);
    }
    known
}

fn items(behind: &str, text: &str, out: &mut String) -> Option<()> {
    let mut writer = Writer::new(lexer::words(text)?);
    while writer.at < writer.words.len() {
        writer.pieces.clear();
        writer.each(0);
        writer.item()?;
        writer.end();
        out.push_str(behind);
        page::write(&writer.pieces, out);
    }
    Some(())
}
