//! Patterns that are compiled to tables when code is generated: no regular expression is parsed at run time.

/// Compiled pattern of texts. Whether it must match a whole text or a part of it is compiled into it.
pub trait Matcher {
    /// Returns whether the text matches.
    fn is_match(&self, text: &str) -> bool;
}

/// Pattern with the same condition for every character: `[a-v0-9]+`.
///
/// It is a table by byte, so a set contains either none of the characters beyond ASCII or all of them.
#[derive(Clone, Debug)]
pub struct ByteClass {
    set: [bool; 256],
    min: usize,
    max: usize,
}

impl ByteClass {
    /// Creates a pattern of `min` to `max` bytes, each in one of the inclusive ranges.
    #[must_use]
    pub const fn new(ranges: &[(u8, u8)], min: usize, max: usize) -> Self {
        Self { set: table(ranges), min, max }
    }
}

impl Matcher for ByteClass {
    #[inline]
    fn is_match(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        // The table has an entry for every byte.
        bytes.len() >= self.min && bytes.len() <= self.max && bytes.iter().all(|byte| self.set[usize::from(*byte)])
    }
}

/// Builds a table by byte that is true for the bytes in the inclusive ranges.
const fn table(ranges: &[(u8, u8)]) -> [bool; 256] {
    let mut set = [false; 256];
    let mut range = 0;
    while range < ranges.len() {
        let (mut byte, last) = (ranges[range].0 as usize, ranges[range].1 as usize);
        while byte <= last {
            set[byte] = true;
            byte += 1;
        }
        range += 1;
    }
    set
}

/// Pattern as a deterministic automaton, with one table lookup per byte.
///
/// Bytes that no state distinguishes share a class. State 0 rejects and state 1 accepts regardless of the rest; state 1
/// and the states from `accepting` on accept at the end of the text.
#[derive(Clone, Debug)]
pub struct Automaton {
    classes: [u8; 256],
    width: usize,
    transitions: Transitions,
    start: u16,
    accepting: u16,
}

/// Next state by state and class: that of state `s` and class `c` is at index `s * width + c`.
#[derive(Clone, Copy, Debug)]
enum Transitions {
    /// One byte per transition, for at most 256 states.
    Narrow(&'static [u8]),
    /// Two bytes per transition, little-endian.
    Wide(&'static [u8]),
}

/// State that rejects, regardless of the rest of the text.
const REJECTING: u16 = 0;
/// State that accepts, regardless of the rest of the text.
const ACCEPTING: u16 = 1;

impl Automaton {
    /// Creates an automaton with one byte per transition. The classes are ranges of bytes, three bytes each: the first,
    /// the last and the class. Bytes outside of all ranges have class 0; `width` is the number of classes.
    #[must_use]
    pub const fn narrow(classes: &[u8], width: usize, start: u16, accepting: u16, transitions: &'static [u8]) -> Self {
        Self { classes: class_table(classes), width, start, accepting, transitions: Transitions::Narrow(transitions) }
    }

    /// Creates an automaton with two bytes per transition, little-endian.
    #[must_use]
    pub const fn wide(classes: &[u8], width: usize, start: u16, accepting: u16, transitions: &'static [u8]) -> Self {
        Self { classes: class_table(classes), width, start, accepting, transitions: Transitions::Wide(transitions) }
    }

    /// Runs the automaton. An index outside of the table cannot occur, and would reject.
    #[inline]
    fn run(&self, text: &str, next: impl Fn(usize) -> Option<u16>) -> bool {
        let mut state = self.start;
        for byte in text.bytes() {
            if state <= ACCEPTING {
                break;
            }
            let class = usize::from(self.classes[usize::from(byte)]);
            state = next(usize::from(state) * self.width + class).unwrap_or(REJECTING);
        }
        state == ACCEPTING || state >= self.accepting
    }
}

impl Matcher for Automaton {
    fn is_match(&self, text: &str) -> bool {
        match self.transitions {
            Transitions::Narrow(table) => self.run(text, |place| table.get(place).map(|state| u16::from(*state))),
            Transitions::Wide(table) => self.run(text, |place| match table.get(place * 2..place * 2 + 2) {
                Some([low, high]) => Some(u16::from_le_bytes([*low, *high])),
                _ => None,
            }),
        }
    }
}

/// Conjunction of automata: each accepts the text, or rejects it if its flag is false.
#[derive(Clone, Debug)]
pub struct Conjunction<const N: usize>([(Automaton, bool); N]);

impl<const N: usize> Conjunction<N> {
    /// Creates a conjunction.
    #[must_use]
    pub const fn new(parts: [(Automaton, bool); N]) -> Self {
        Self(parts)
    }
}

impl<const N: usize> Matcher for Conjunction<N> {
    fn is_match(&self, text: &str) -> bool {
        self.0.iter().all(|(automaton, is_match)| automaton.is_match(text) == *is_match)
    }
}

/// Builds a table of the class of each byte, from triples: first byte, last byte, class. The others have class 0.
const fn class_table(ranges: &[u8]) -> [u8; 256] {
    let mut classes = [0; 256];
    let mut range = 0;
    while range + 2 < ranges.len() {
        let (mut byte, last) = (ranges[range] as usize, ranges[range + 1] as usize);
        while byte <= last {
            classes[byte] = ranges[range + 2];
            byte += 1;
        }
        range += 3;
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class() {
        static ID: ByteClass = ByteClass::new(&[(b'a', b'v'), (b'0', b'9')], 1, usize::MAX);
        assert!(ID.is_match("av09") && !ID.is_match("") && !ID.is_match("aw") && !ID.is_match("ä"));
        static OPEN: ByteClass = ByteClass::new(&[(0, b'<'), (b'>', 255)], 0, 3);
        assert!(OPEN.is_match("") && OPEN.is_match("ä!") && !OPEN.is_match("a=") && !OPEN.is_match("abcd"));
    }

    /// Pattern `ab*`, with one byte and with two bytes per transition.
    #[test]
    fn an_automaton() {
        const CLASSES: &[u8] = b"aa\x01bb\x02";
        static NARROW: Automaton = Automaton::narrow(CLASSES, 3, 2, 3, &[0, 0, 0, 1, 1, 1, 0, 3, 0, 0, 0, 3]);
        static WIDE: Automaton = Automaton::wide(
            CLASSES,
            3,
            2,
            3,
            &[0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0],
        );
        for (text, holds) in [("", false), ("a", true), ("abbb", true), ("ba", false), ("abc", false), ("aba", false)] {
            assert_eq!((NARROW.is_match(text), WIDE.is_match(text)), (holds, holds), "{text}");
        }
    }

    #[test]
    fn a_conjunction() {
        // An `a` somewhere, and no `b`.
        const HAS_A: Automaton = Automaton::narrow(b"aa\x01", 2, 2, 3, &[0, 0, 1, 1, 2, 1]);
        const HAS_B: Automaton = Automaton::narrow(b"bb\x01", 2, 2, 3, &[0, 0, 1, 1, 2, 1]);
        static BOTH: Conjunction<2> = Conjunction::new([(HAS_A, true), (HAS_B, false)]);
        let texts = ["cac", "a", "ab", "b", ""];
        assert_eq!(texts.map(|text| BOTH.is_match(text)), [true, true, false, false, false]);
    }

    #[test]
    fn a_state_that_accepts_whatever_follows() {
        // Any text with an `a`.
        static SEARCH: Automaton = Automaton::narrow(b"aa\x01", 2, 2, 3, &[0, 0, 1, 1, 2, 1]);
        assert!(SEARCH.is_match("bab") && !SEARCH.is_match("bb") && !SEARCH.is_match(""));
        // A malformed table rejects.
        static BROKEN: Automaton = Automaton::narrow(&[], 2, 9, 10, &[]);
        assert!(!BROKEN.is_match("a"));
    }
}
