use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::*;

/// Returns the positions where a match that starts at `start` can end, by exhaustive search.
fn ends(hir: &Hir, text: &[char], start: usize) -> BTreeSet<usize> {
    match hir.kind() {
        HirKind::Empty => BTreeSet::from([start]),
        HirKind::Literal(literal) => {
            let literal: Vec<char> = String::from_utf8_lossy(&literal.0).chars().collect();
            text[start..].starts_with(&literal).then(|| start + literal.len()).into_iter().collect()
        }
        HirKind::Class(Class::Unicode(class)) => {
            let within = |c: &char| class.ranges().iter().any(|range| range.start() <= *c && *c <= range.end());
            text.get(start).filter(|c| within(c)).map(|_| start + 1).into_iter().collect()
        }
        HirKind::Class(Class::Bytes(class)) => {
            let within =
                |c: &char| class.ranges().iter().any(|r| char::from(r.start()) <= *c && *c <= char::from(r.end()));
            text.get(start).filter(|c| within(c)).map(|_| start + 1).into_iter().collect()
        }
        HirKind::Look(look) => look_holds(*look, text, start).then_some(start).into_iter().collect(),
        HirKind::Capture(capture) => ends(&capture.sub, text, start),
        HirKind::Concat(parts) => parts.iter().fold(BTreeSet::from([start]), |places, part| {
            places.into_iter().flat_map(|place| ends(part, text, place)).collect()
        }),
        HirKind::Alternation(parts) => parts.iter().flat_map(|part| ends(part, text, start)).collect(),
        HirKind::Repetition(repetition) => {
            let (mut places, mut found) = (BTreeSet::from([start]), BTreeSet::new());
            let most = repetition.max.unwrap_or(repetition.min + text.len() as u32 + 1);
            for count in 0..=most {
                if count >= repetition.min {
                    found.extend(places.iter().copied());
                }
                places = places.into_iter().flat_map(|place| ends(&repetition.sub, text, place)).collect();
            }
            found
        }
    }
}

fn look_holds(look: Look, text: &[char], at: usize) -> bool {
    let word = |place: Option<usize>| {
        place.and_then(|place| text.get(place)).is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_')
    };
    let (before, after) = (word(at.checked_sub(1)), word(Some(at)));
    match look {
        Look::Start => at == 0,
        Look::End => at == text.len(),
        Look::StartLF => at == 0 || text[at - 1] == '\n',
        Look::EndLF => at == text.len() || text[at] == '\n',
        Look::WordAscii => before != after,
        Look::WordAsciiNegate => before == after,
        other => panic!("unexpected {other:?}"),
    }
}

const PATTERNS: &[&str] = &[
    "",
    "a",
    "[a-v0-9]+",
    "[a-c]*",
    "[a-c]{2,3}",
    "[^=]+",
    "[^=]{2}",
    "people/.+",
    "a|ab|abc",
    "(a|b)*c",
    "(a+)+b",
    "a.c",
    "(?s)a.c",
    r"\d+",
    r"\D",
    r"\w+\s\W",
    r"[\d\-]+",
    r"[^\w]",
    "é+",
    "[à-ü]",
    "[^a]",
    r"\ba\b",
    r"a\Bb",
    "^a",
    "a$",
    "^a$",
    "^[a-c]+$",
    "(?i)ab",
    "(?m)^a$",
    "a{0}",
    "(|a)b",
    "[^=]+=.*",
    r"\x{1F600}",
    "(?:a{2}){3}",
    "^$",
    "b*$",
    "[[:alpha:]]&&a",
    r"[\s\S]",
    "(?i)k",
    "x*y?",
    r"[^\s\S]",
    "^(a|b$)",
    r"\p{Lu}b",
    "(ab?){1,2}",
    "[\u{e9}-\u{10ffff}]+",
];

const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "ab",
    "abc",
    "aab",
    "aabb",
    "ac",
    "a\nc",
    "a c",
    "a=c",
    "==",
    "=",
    "é",
    "éé",
    "à",
    "ÿ",
    "c",
    "cc",
    "abca",
    "A",
    "AB",
    "K",
    "\u{212a}",
    "people/x",
    "people/",
    "people/é\n",
    "12",
    "1-2",
    "١",
    "a_b",
    "a b!",
    "x a y",
    "\n",
    "b\na\nb",
    "😀",
    "a😀",
    "aaaaaa",
    "aaaaa",
    "_",
    "É",
    "Éb",
    "=a=b",
    "n=v\n",
    "n=",
    "\u{b}",
    "xy",
];

#[test]
fn automata_judge_as_trying_everything_does() {
    let mut held = 0;
    for pattern in PATTERNS {
        let hir = dialect::parse(pattern).expect("the pattern can be read");
        let (whole, part) = (compile_anchored(pattern).expect("small"), compile_search(pattern).expect("small"));
        for text in TEXTS {
            let characters: Vec<char> = text.chars().collect();
            let expected = ends(&hir, &characters, 0).contains(&characters.len());
            assert_eq!(whole.is_match(text), expected, "all of {text:?} by {pattern:?}");
            let expected = (0..=characters.len()).any(|start| !ends(&hir, &characters, start).is_empty());
            assert_eq!(part.is_match(text), expected, "some of {text:?} by {pattern:?}");
            held += usize::from(expected);
        }
    }
    assert!(held > 500, "{held} of the searches have results");
}

#[test]
fn what_asks_the_same_of_each_character_is_a_class() {
    let is_class = |matcher: Result<Matcher, PatternError>| matches!(matcher, Ok(Matcher::Class(_)));
    for pattern in ["[a-v0-9]+", "a", "[a-c]{2,3}", "[^=]*", "([a-z])+", "^[a-z]+$", r"\d{4}"] {
        assert!(is_class(compile_anchored(pattern)), "{pattern}");
    }
    for pattern in ["[^=]{2}", "é+", "[a-ü]+", "ab", "(ab)+", "a|bc", ""] {
        assert!(!is_class(compile_anchored(pattern)), "{pattern}");
    }
    assert!(
        is_class(compile_search("^[a-z]+$"))
            && !is_class(compile_search("[a-z]+"))
            && !is_class(compile_search("^[a-z]+"))
    );
}

#[test]
fn automata_are_minimal_and_small() {
    let states = |matcher: Result<Matcher, PatternError>| match matcher {
        Ok(Matcher::Automaton(table)) => (table.states(), table.width),
        other => panic!("{other:?}"),
    };
    // Two states that loop, and one before the end.
    assert_eq!(states(compile_search("(a|b)(a|b)*")), (3, 2));
    assert_eq!(states(compile_anchored("(ab|ab)c|abc")), (6, 4));
    // Chains are the worst case of naive minimization.
    assert_eq!(states(compile_anchored("(ab){1500}")).0, 3003);
    assert_eq!(compile_anchored("a(ab){1500}"), compile_anchored("a(?:ab){1500}"));
}

#[test]
fn the_classes_of_perl_are_ascii() {
    for (pattern, within, beyond) in [
        (r"\d", "1", "\u{661}"),
        (r"[\d\-]", "-", "\u{661}"),
        (r"[x[\w]]", "_", "\u{e9}"),
        (r"[\w&&[^x]]", "y", "\u{e9}"),
        (r"\s", "\u{c}", "\u{a0}"),
    ] {
        let matcher = compile_anchored(pattern).expect("small");
        assert!(matcher.is_match(within) && !matcher.is_match(beyond), "{pattern}");
    }
    assert!(compile_anchored(r"[^\d]\S\W").expect("small").is_match("\u{661}\u{a0}\u{e9}"));
    assert!(compile_search(r"\bé").expect("small").is_match("aé"), "é is no part of a word");
}

/// Patterns of passwords: each condition is small, and their product is not.
#[test]
fn conjunctions_need_no_product() {
    let all = r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[^\w\s]).{8,64}";
    let Ok(Matcher::All(parts)) = compile_anchored(all) else { panic!("several automata") };
    assert!(parts.len() == 5 && parts.iter().all(|part| part.table.states() < 700), "{parts:?}");
    let matcher = Matcher::All(parts);
    let texts = ["aB3$efgh", "aB3$efg", "aB34efgh", "ab3$efgh", "AB3$EFGH", "aBc$efgh"];
    assert_eq!(texts.map(|text| matcher.is_match(text)), [true, false, false, false, false, false]);
    assert!(
        matches!(compile_anchored("(?=.*[0-9])(?!.*--).{8,}"), Ok(Matcher::Automaton(_))),
        "small products are kept"
    );
}

#[test]
fn common_texts_are_the_shortest() {
    let common = |patterns: &[&str], length| {
        let languages: Vec<Language> = patterns.iter().map(|one| Language::parse(one).expect("small")).collect();
        common_text(&languages.iter().collect::<Vec<_>>(), length, &mut 1_000_000)
    };
    let any = (0, None);
    for (patterns, length, text) in [
        (["[a-z]+[0-9]*", "[a-z]*[0-9]+"].as_slice(), any, Some("a0")),
        (&["[a-z]+", "[A-Z]+"], any, None),
        (&["[a-z]+", "[a-f]+"], (5, Some(9)), Some("aaaaa")),
        (&["(ab)*", "a.*"], (3, None), Some("abab")),
        (&["(ab)*", "a.*"], (3, Some(3)), None),
        (&["(?!.*b)[a-c]{2}", "c.*"], any, Some("ca")),
        (&["(?=.*[0-9])(?=.*[a-z])[a-z0-9]{3,}", ".*"], any, Some("aa0")),
        (&[], (0, Some(0)), Some("")),
        (&[], (2, None), Some("aa")),
    ] {
        assert_eq!(common(patterns, length).as_deref(), text, "{patterns:?}");
    }
    let large = Language::parse("[a-z]{100}").expect("small");
    assert_eq!(common_text(&[&large, &large], any, &mut 100), None, "no step is left");
}

#[test]
fn tables_have_a_greatest_size() {
    // All letters can be expressed in bytes; some of them cannot.
    assert!(compile_anchored(r"\p{L}+").is_ok());
    assert_eq!(compile_anchored(r"\p{L}\p{L}"), Err(PatternError::TooLarge));
}

#[test]
fn what_explodes_is_refused() {
    for pattern in [
        "((a{1000}){1000}){1000}",
        "(a|b)*a(a|b){40}",
        "(?:x(a|b)*a(a|b){14}y)+",
        r"\w{40000}b",
        r"(\p{L}+-){60}",
        "(?:[a-c][d-f]){30000}",
    ] {
        assert_eq!(compile_anchored(pattern), Err(PatternError::TooLarge), "{pattern}");
    }
    assert_eq!(compile_search("[a-q][^u-z]{13}x"), Err(PatternError::TooLarge));
    for pattern in [
        "(",
        "(a)\\1",
        "(?=a)*b",
        "b*(?=a)a",
        r"\p{Nonsense}",
        "[b-a]",
        "a{2,1}",
        &"(".repeat(1000),
        &"(?:a)".repeat(60_000),
        "(?i)(?=a)b|c",
        "(?:(?i)a(?=b).)d",
        &format!("{}(?=a){}", "(".repeat(10_000), ")".repeat(10_000)),
        &format!("{}a{}", "(?!".repeat(10_000), ")".repeat(10_000)),
    ] {
        assert!(compile_anchored(pattern).is_err(), "{}", pattern.get(..20).unwrap_or(pattern));
    }
    let deep = format!("{}a{}", "(".repeat(200), ")".repeat(200));
    assert!(matches!(compile_anchored(&deep), Err(PatternError::Syntax(_))));
}

#[test]
fn the_tables_as_rust() {
    let module = quote::quote!(::wireform_validation::__private::pattern);
    let tokens = |pattern| compile_anchored(pattern).expect("small").tokens(&module).to_string().replace(' ', "");
    assert_eq!(
        tokens("[a-v0-9]+"),
        "::wireform_validation::__private::pattern::ByteClass::new(&[(b'0',b'9'),(b'a',b'v')],1,usize::MAX)"
    );
    assert_eq!(
        tokens("ab*"),
        r#"::wireform_validation::__private::pattern::Automaton::narrow(b"aa\x01bb\x02",3,2,3,b"\0\0\0\x01\x01\x01\0\x03\0\0\0\x03")"#
    );
    assert!(tokens("(ab){300}").starts_with("::wireform_validation::__private::pattern::Automaton::wide("));
    let search = compile_search("a").expect("small");
    assert!(search.ty(&module).to_string().ends_with("Automaton"));
}

/// Nested conditions would be one automaton, which is far larger than those that run one after the other.
#[test]
fn exported_conjunctions_stay_small() {
    for pattern in [
        r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[^\w\s]).{8,64}",
        r"(?=.{8,64}$)(?=.*\d)(?=.*[a-z])(?!.*[^ -~]).*",
        r"(?:(?=.{8,64}$)(?=.*\d).*)",
    ] {
        let exported = to_ecma(pattern).expect("a pattern");
        let read = from_ecma(exported.trim_start_matches('^').trim_end_matches('$')).expect("a pattern of ECMA-262");
        let sizes = [pattern, &read].map(|pattern| compile_anchored(pattern).map(|matcher| matcher.size() < 16_384));
        assert_eq!(sizes, [Ok(true), Ok(true)], "{pattern} is {exported}");
        for (text, expected) in [("Passw0rd!", true), ("Pa0!", false), ("password!", false)] {
            let found = compile_anchored(&read).expect("an automaton").is_match(text);
            assert_eq!(found, expected, "{text} with {exported}");
        }
    }
}
