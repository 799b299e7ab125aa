//! The words that are left and the pieces that were made, with what all constructs need.

use super::lexer::{Kind, Word};
use super::page::{Break, INDENT, Piece};

/// Reads words and makes pieces. Each construct answers none where it meets what it does not know; a whole parser has
/// to look at the item then.
pub struct Writer<'t> {
    pub words: Vec<Word<'t>>,
    pub at: usize,
    pub pieces: Vec<Piece<'t>>,
}

impl<'t> Writer<'t> {
    pub fn new(words: Vec<Word<'t>>) -> Self {
        let pieces = Vec::with_capacity(words.len() * 2);
        Self { words, at: 0, pieces }
    }

    /// The word that comes next, or the one so many words later; nothing is in no text.
    pub fn peek(&self, later: usize) -> &'t str {
        self.words.get(self.at + later).map_or("", |word| word.text)
    }

    pub fn kind(&self) -> Option<Kind> {
        self.words.get(self.at).map(|word| word.kind)
    }

    /// Whether this sign, keyword or bracket comes next; a text that looks like it begins with a quote.
    pub fn is(&self, text: &str) -> bool {
        self.peek(0) == text
    }

    /// Passes over the next word if it is this.
    pub fn passed(&mut self, text: &str) -> bool {
        let is = self.is(text);
        self.at += usize::from(is);
        is
    }

    /// Passes over the next word, which has to be this.
    pub fn pass(&mut self, text: &str) -> Option<()> {
        self.passed(text).then_some(())
    }

    /// Passes over an opening bracket and tells where its closing one is.
    pub fn enter(&mut self, bracket: &str) -> Option<usize> {
        let word = self.words.get(self.at)?;
        (word.kind == Kind::Open && word.text == bracket).then_some(())?;
        self.at += 1;
        Some(word.end)
    }

    /// Writes the next word.
    pub fn take(&mut self) -> Option<()> {
        let text = self.words.get(self.at)?.text;
        self.at += 1;
        self.text(text);
        Some(())
    }

    /// Writes the next word, which has to be a name.
    pub fn name(&mut self) -> Option<()> {
        (self.kind()? == Kind::Name).then_some(())?;
        self.take()
    }

    pub fn text(&mut self, text: &'t str) {
        self.pieces.push(Piece::Text(text));
    }

    /// Begins a group of which all breaks are lines if one is.
    pub fn each(&mut self, offset: isize) {
        self.pieces.push(Piece::Each(offset));
    }

    /// Begins a group of which those breaks are lines that have to be.
    pub fn some(&mut self, offset: isize) {
        self.pieces.push(Piece::Some(offset));
    }

    pub fn end(&mut self) {
        self.pieces.push(Piece::End);
    }

    pub fn stop(&mut self, here: Break) {
        self.pieces.push(Piece::Break(here));
    }

    pub fn hard(&mut self) {
        self.stop(Break::HARD);
    }

    /// Room for what turns out later.
    pub fn room(&mut self) -> usize {
        self.pieces.push(Piece::Nothing);
        self.pieces.len() - 1
    }

    pub fn fill(&mut self, room: usize, piece: Piece<'t>) {
        if let Some(place) = self.pieces.get_mut(room) {
            *place = piece;
        }
    }

    /// The last break, behind which the bracket is that closes what was indented, is of the line of that bracket.
    pub fn outdent(&mut self) {
        let last = self.pieces.iter_mut().rev().find(|piece| !matches!(piece, Piece::Nothing));
        if let Some(Piece::Break(here)) = last {
            here.offset -= INDENT;
        }
    }

    /// A list up to a closing bracket, which is passed over: `a, b, c`, with a break before the first and one behind
    /// the last. An empty one is nothing.
    pub fn list(&mut self, end: usize, each: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        if self.at < end {
            self.stop(Break::ZERO);
        }
        while self.at < end {
            each(self)?;
            self.comma(end, Break::COMMA)?;
        }
        self.leave(end)
    }

    /// The comma behind an element of a list, or what is behind the last one.
    pub fn comma(&mut self, end: usize, last: Break) -> Option<()> {
        let comma = self.passed(",");
        if self.at == end {
            self.stop(last);
            return Some(());
        }
        comma.then(|| {
            self.text(",");
            self.stop(Break::SPACE);
        })
    }

    /// Passes over a closing bracket.
    pub fn leave(&mut self, end: usize) -> Option<()> {
        (self.at == end).then(|| self.at += 1)
    }

    /// The same list in brackets of its own, in a group within them.
    pub fn tuple(
        &mut self,
        brackets: [&'t str; 2],
        offset: isize,
        each: impl Fn(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let end = self.enter(brackets[0])?;
        self.text(brackets[0]);
        if self.at < end {
            self.each(offset);
            self.list(end, each)?;
            self.end();
        } else {
            self.leave(end)?;
        }
        self.text(brackets[1]);
        Some(())
    }
}
