//! Pieces of text with places where a line can be broken → lines, by the rules of the formatter: what fits into a
//! line stays in one, and what does not is broken at the outermost group.

/// How wide a line may be, in bytes.
const MARGIN: isize = 89;
/// What is left of a line however deep it is indented.
const LEAST: isize = 60;
/// How far what is in a group is indented.
pub const INDENT: isize = 4;
/// The width of what is longer than any line.
const ENDLESS: isize = 0xffff;
/// How wide an expression of a struct may be that stays in one line.
const STRUCT: isize = 34;

/// A place where a line can be broken.
#[derive(Clone, Copy)]
pub struct Break {
    /// How much further the next line is indented.
    pub offset: isize,
    /// The spaces where it is not broken.
    pub blank: isize,
    /// What stands before the end of the line where it is broken.
    pub before: &'static str,
    /// What the next line begins with where it is broken.
    pub after: &'static str,
    /// What stands here where it is not broken.
    pub otherwise: &'static str,
    /// Whether it never is: the width of what is before it ends here all the same.
    pub never: bool,
}

impl Break {
    pub const ZERO: Self = Self { offset: 0, blank: 0, before: "", after: "", otherwise: "", never: false };
    pub const SPACE: Self = Self { blank: 1, ..Self::ZERO };
    pub const HARD: Self = Self { blank: ENDLESS, ..Self::ZERO };
    pub const NEVER: Self = Self { never: true, ..Self::ZERO };
    /// Behind the last of a list.
    pub const COMMA: Self = Self { before: ",", offset: -INDENT, ..Self::ZERO };
    /// The same, where there are spaces within the brackets.
    pub const COMMA_SPACE: Self = Self { blank: 1, ..Self::COMMA };
}

/// A piece of the page.
#[derive(Clone, Copy)]
pub enum Piece<'t> {
    /// Room for what turns out later.
    Nothing,
    Text(&'t str),
    /// A group of which all breaks are lines if one is.
    Each(isize),
    /// A group of which those breaks are lines that have to be.
    Some(isize),
    End,
    /// The end of a group that is broken where it is wider than that of a short struct.
    EndOfStruct,
    Break(Break),
}

/// The widths that decide: of a group and what follows it up to the next break, and of a break up to the next one.
fn widths(pieces: &[Piece<'_>]) -> Vec<isize> {
    let mut widths = vec![0; pieces.len()];
    let mut open: Vec<usize> = Vec::with_capacity(64);
    let mut groups: Vec<isize> = Vec::with_capacity(32);
    let mut total = 1;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Nothing => {}
            Piece::Text(text) => total += isize::try_from(text.len()).unwrap_or(ENDLESS),
            Piece::Each(_) | Piece::Some(_) => {
                groups.push(total);
                widths[at] = -total;
                open.push(at);
            }
            Piece::End | Piece::EndOfStruct => {
                let began = groups.pop().unwrap_or(total);
                if matches!(piece, Piece::EndOfStruct) && total - began > STRUCT {
                    total += ENDLESS;
                }
                open.push(at);
            }
            Piece::Break(here) => {
                settle(pieces, &mut open, &mut widths, total);
                widths[at] = -total;
                open.push(at);
                total += here.blank;
            }
        }
    }
    settle(pieces, &mut open, &mut widths, total);
    widths
}

/// Tells the widths that are known when a break comes.
fn settle(pieces: &[Piece<'_>], open: &mut Vec<usize>, widths: &mut [isize], total: isize) {
    let mut depth = 0;
    while let Some(&at) = open.last() {
        match pieces[at] {
            Piece::Each(_) | Piece::Some(_) if depth == 0 => return,
            Piece::Each(_) | Piece::Some(_) => {
                widths[at] += total;
                depth -= 1;
            }
            Piece::Break(_) => widths[at] += total,
            _ => depth += 1,
        }
        open.pop();
        if depth == 0 && matches!(pieces[at], Piece::Break(_)) {
            return;
        }
    }
}

/// A group that is being written.
#[derive(Clone, Copy)]
enum Group {
    Fits,
    /// The indentation outside, and whether all breaks are lines.
    Broken(isize, bool),
}

struct Page<'o> {
    out: &'o mut String,
    /// What is left of the line.
    space: isize,
    indent: isize,
    /// Spaces that are written before the next text, so that no line ends in spaces.
    pending: isize,
    groups: Vec<Group>,
}

/// Writes pieces.
pub fn write(pieces: &[Piece<'_>], out: &mut String) {
    let widths = widths(pieces);
    let mut page = Page { out, space: MARGIN, indent: 0, pending: 0, groups: Vec::new() };
    for (piece, width) in pieces.iter().zip(widths) {
        match piece {
            Piece::Nothing => {}
            Piece::Text(text) => page.text(text),
            Piece::Each(offset) => page.begin(*offset, true, width),
            Piece::Some(offset) => page.begin(*offset, false, width),
            Piece::End | Piece::EndOfStruct => {
                if let Some(Group::Broken(indent, _)) = page.groups.pop() {
                    page.indent = indent;
                }
            }
            Piece::Break(here) => page.interrupt(here, width),
        }
    }
}

impl Page<'_> {
    fn text(&mut self, text: &str) {
        const SPACES: &str = "                                                                ";
        while self.pending > 0 {
            let count = usize::try_from(self.pending).unwrap_or_default().min(SPACES.len());
            self.out.push_str(&SPACES[..count]);
            self.pending -= isize::try_from(count).unwrap_or(self.pending);
        }
        self.out.push_str(text);
        self.space -= isize::try_from(text.len()).unwrap_or(ENDLESS);
    }

    fn begin(&mut self, offset: isize, each: bool, width: isize) {
        if width > self.space {
            self.groups.push(Group::Broken(self.indent, each));
            self.indent += offset;
        } else {
            self.groups.push(Group::Fits);
        }
    }

    fn interrupt(&mut self, here: &Break, width: isize) {
        let stays = here.never
            || match self.groups.last() {
                Some(Group::Fits) => true,
                Some(Group::Broken(_, true)) => false,
                Some(Group::Broken(_, false)) | None => width <= self.space,
            };
        if stays {
            self.pending += here.blank;
            self.space -= here.blank;
            if !here.otherwise.is_empty() {
                self.out.push_str(here.otherwise);
                self.space -= 1;
            }
            return;
        }
        if !here.before.is_empty() {
            self.text(here.before);
        }
        self.out.push('\n');
        self.pending = self.indent + here.offset;
        self.space = (MARGIN - self.pending).max(LEAST);
        if !here.after.is_empty() {
            self.text(here.after);
        }
    }
}
