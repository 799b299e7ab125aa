//! Smaller automata for sets with most characters beyond ASCII.

use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};

/// Returns an expression that is equivalent for valid UTF-8, and whose automaton does not distinguish the continuation
/// bytes of characters that are all in a set. Returns `None` if the expression looks at single bytes, or has no
/// such set.
pub fn relax(hir: &Hir) -> Option<Hir> {
    let anchors = [Look::Start, Look::End];
    let is_relaxable = hir.properties().look_set().iter().all(|look| anchors.contains(&look));
    is_relaxable.then(|| rewrite(hir)).filter(|relaxed| relaxed != hir)
}

fn rewrite(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => relax_class(class),
        HirKind::Repetition(repetition) => {
            Hir::repetition(Repetition { sub: Box::new(rewrite(&repetition.sub)), ..repetition.clone() })
        }
        HirKind::Capture(capture) => rewrite(&capture.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(rewrite).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(rewrite).collect()),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) | HirKind::Class(_) => hir.clone(),
    }
}

/// Returns `[\x00-\x09\xC2-\xE1…][\x80-\xBF]*` for a set with all characters of some first bytes. A character in ASCII is
/// never followed by a continuation byte, and so needs no state of its own.
fn relax_class(class: &ClassUnicode) -> Hir {
    let whole: Vec<(u8, ClassUnicodeRange)> =
        (0xc2..=0xf4).filter_map(|byte| Some((byte, first_byte(byte)?))).collect();
    let has =
        |range: &ClassUnicodeRange| class.iter().any(|own| own.start() <= range.start() && range.end() <= own.end());
    let whole: Vec<(u8, ClassUnicodeRange)> = whole.into_iter().filter(|(_, range)| has(range)).collect();
    if whole.is_empty() {
        return Hir::class(Class::Unicode(class.clone()));
    }
    let mut bytes = ClassBytes::new(whole.iter().map(|(byte, _)| ClassBytesRange::new(*byte, *byte)));
    let ascii = ClassUnicode::new([ClassUnicodeRange::new('\0', '\x7f')]);
    let mut low = class.clone();
    low.intersect(&ascii);
    bytes.union(&ClassBytes::new(low.iter().filter_map(|range| {
        Some(ClassBytesRange::new(u8::try_from(range.start()).ok()?, u8::try_from(range.end()).ok()?))
    })));
    let mut rest = class.clone();
    rest.difference(&ascii);
    rest.difference(&ClassUnicode::new(whole.into_iter().map(|(_, range)| range)));
    let first = Hir::alternation(vec![Hir::class(Class::Bytes(bytes)), Hir::class(Class::Unicode(rest))]);
    let following = Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(0x80, 0xbf)])));
    let following = Repetition { min: 0, max: None, greedy: true, sub: Box::new(following) };
    Hir::concat(vec![first, Hir::repetition(following)])
}

/// Returns the characters whose encoding has a first byte.
fn first_byte(byte: u8) -> Option<ClassUnicodeRange> {
    let byte = u32::from(byte);
    let (low, high) = match byte {
        0xc2..=0xdf => ((byte & 0x1f) << 6, (byte & 0x1f) << 6 | 0x3f),
        0xe0 => (0x800, 0xfff),
        // The rest are surrogates.
        0xed => (0xd000, 0xd7ff),
        0xe1..=0xef => ((byte & 0xf) << 12, (byte & 0xf) << 12 | 0xfff),
        0xf0 => (0x10000, 0x3ffff),
        0xf4 => (0x10_0000, 0x10_ffff),
        _ => ((byte & 7) << 18, (byte & 7) << 18 | 0x3_ffff),
    };
    Some(ClassUnicodeRange::new(char::from_u32(low)?, char::from_u32(high)?))
}
