//! Special days of contacts from vCard (RFC 6350, and the older 3.0 and 2.1).

use wireform_recurrence::jiff::civil::Date;

use crate::content::address_key;
use crate::ics::Losses;
use crate::ics::content::{self, Property};
use crate::special_days::{DayKind, SpecialDay};

/// Maximum number of properties of a card.
const MAX_PROPERTIES: usize = 2_000;
/// Maximum number of cards of a file.
const MAX_CARDS: usize = 100_000;
/// Maximum length of a name in characters.
const MAX_NAME: usize = 200;
/// Year of days without a year; it has a February 29.
const PLACEHOLDER_YEAR: i16 = 2000;

/// Content of a file.
#[derive(Debug, Default)]
pub(crate) struct Cards {
    pub(crate) days: Vec<(usize, SpecialDay)>,
    /// Number of cards without a special day.
    pub(crate) without_days: u64,
}

/// Parses the special days of the cards of a file. Those of a card with the address `own` are the user's own.
pub(crate) fn read(bytes: &[u8], own: &str, losses: &mut Losses) -> Cards {
    let (mut cards, mut count) = (Cards::default(), 0);
    let mut open: Option<(usize, Vec<Property>)> = None;
    for line in content::unfold_lines(&content::decode(bytes)) {
        if let Some(fault) = line.error {
            losses.add(line.number, "VCARD", fault);
        }
        let Some(property) = content::parse_property(&line) else {
            if line.error.is_none() {
                losses.add(line.number, &line.text, "invalid line, expected a property");
            }
            continue;
        };
        if line.error.is_some_and(|fault| !fault.contains("Latin-1")) {
            continue;
        }
        let is_card = property.upper_case_value() == "VCARD";
        match (property.name.as_str(), &mut open) {
            ("BEGIN", _) if is_card => {
                report_unclosed(open.take(), losses);
                open = Some((line.number, Vec::new()));
            }
            ("END", Some(_)) if is_card => {
                let (at, properties) = open.take().unwrap_or_default();
                count += 1;
                if count > MAX_CARDS {
                    losses.add(at, "VCARD", "there are too many cards in the file");
                    return cards;
                }
                read_card(at, &properties, own, &mut cards, losses);
            }
            (_, Some((_, properties))) if properties.len() < MAX_PROPERTIES => properties.push(property),
            (_, Some(_)) => losses.add(line.number, &property.name, "the card has too many properties"),
            (name, None) => losses.add(line.number, name, "the line is outside of a card"),
        }
    }
    report_unclosed(open, losses);
    cards
}

fn report_unclosed(card: Option<(usize, Vec<Property>)>, losses: &mut Losses) {
    if let Some((line, _)) = card {
        losses.add(line, "VCARD", "the card has no end and is skipped");
    }
}

/// Splits the name of a property into its group and the rest: `item1.X-ABDATE`.
fn split_group(property: &Property) -> (&str, &str) {
    property.name.rsplit_once('.').unwrap_or(("", &property.name))
}

/// Adds the special days of a card to `cards`. `own` is the address of the user, whose card has their own birthday.
fn read_card(line: usize, properties: &[Property], own: &str, cards: &mut Cards, losses: &mut Losses) {
    let find = |name: &str| properties.iter().find(|property| split_group(property).1 == name);
    let is_day = |property: &&Property| {
        matches!(split_group(property).1, "BDAY" | "ANNIVERSARY" | "X-ANNIVERSARY" | "X-ABDATE" | "DEATHDATE")
    };
    let days: Vec<&Property> = properties.iter().filter(is_day).collect();
    if days.is_empty() {
        cards.without_days += 1;
        return;
    }
    let Some(name) = name(properties) else {
        return losses.add(line, "FN", "the card has no name; its days are skipped");
    };
    let is_own = properties
        .iter()
        .any(|property| split_group(property).1 == "EMAIL" && address_key(&property.text()) == address_key(own));
    let contact = SpecialDay::contact_resource_name(find("UID").map_or(name.as_str(), |uid| uid.value.trim()));
    for property in days {
        let Some(kind) = kind(property, properties, is_own) else {
            losses.add(property.line, &property.name, "days of this type are not kept");
            continue;
        };
        let Some(date) = date(property) else {
            losses.add(property.line, &property.name, "invalid value, expected a day of a year");
            continue;
        };
        let contact = (kind != DayKind::Own).then(|| contact.clone());
        cards.days.push((property.line, SpecialDay { name: name.clone(), date, kind, contact }));
    }
}

/// Returns the name of a contact.
fn name(properties: &[Property]) -> Option<String> {
    let texts = |name: &str| properties.iter().find(|property| split_group(property).1 == name).map(text);
    // Family name; given name; further names; prefixes and suffixes.
    let parts = || {
        let whole = texts("N")?;
        let parts: Vec<&str> = whole.split(';').map(str::trim).collect();
        let order = [3, 1, 2, 0, 4];
        let words: Vec<&str> = order.iter().filter_map(|at| parts.get(*at).copied()).collect();
        Some(words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
    };
    let filled = |name: &String| !name.trim().is_empty();
    let name = texts("FN").filter(filled).or_else(parts).filter(filled);
    let name = name.or_else(|| texts("NICKNAME")).or_else(|| texts("ORG")).filter(filled)?;
    Some(name.trim().chars().filter(|character| !character.is_control()).take(MAX_NAME).collect())
}

/// Returns the text of a property, decoding quoted-printable (vCard 2.1).
fn text(property: &Property) -> String {
    let is_quoted = property.parameters.iter().any(|parameter| {
        let word = "QUOTED-PRINTABLE";
        parameter.name == word || parameter.values.iter().any(|value| value.eq_ignore_ascii_case(word))
    });
    if !is_quoted {
        return property.text();
    }
    let mut bytes = Vec::new();
    let mut rest = property.value.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'=' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next(), rest.next()].map(|digit| digit.and_then(|digit| char::from(digit).to_digit(16)));
        if let [Some(high), Some(low)] = digits {
            bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// Returns the kind of a day; `None` for unsupported ones.
fn kind(property: &Property, properties: &[Property], is_own: bool) -> Option<DayKind> {
    let (group, name) = split_group(property);
    match name {
        "BDAY" if is_own => return Some(DayKind::Own),
        "BDAY" => return Some(DayKind::Birthday),
        "ANNIVERSARY" | "X-ANNIVERSARY" => return Some(DayKind::Anniversary),
        "X-ABDATE" => {}
        _ => return None,
    }
    let label = properties.iter().find(|other| split_group(other) == (group, "X-ABLABEL") && !group.is_empty());
    let label = label.map(text).unwrap_or_default();
    let known = label.strip_prefix("_$!<").and_then(|label| label.strip_suffix(">!$_"));
    Some(match known.unwrap_or(&label).trim() {
        "" => DayKind::Other,
        word if word.eq_ignore_ascii_case("anniversary") => DayKind::Anniversary,
        word if word.eq_ignore_ascii_case("other") => DayKind::Other,
        word => DayKind::Custom(word.chars().take(MAX_NAME).collect()),
    })
}

/// Parses a day such as `1815-12-10`, `18151210`, `--12-10` or `--1210`, optionally with a time. A year marked as
/// omitted (`X-APPLE-OMIT-YEAR`) is ignored.
fn date(property: &Property) -> Option<Date> {
    let value = property.value.trim();
    let value = value.split(['T', 't', ' ']).next()?;
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let is_plain = value.chars().all(|character| character.is_ascii_digit() || character == '-');
    let (year, rest) = match (value.strip_prefix("--"), digits.len()) {
        (Some(_), 4) => (PLACEHOLDER_YEAR, digits.as_str()),
        (None, 8) => (digits.get(..4)?.parse().ok()?, digits.get(4..)?),
        _ => return None,
    };
    let omitted = property.parameter("X-APPLE-OMIT-YEAR").and_then(|year| year.parse::<i16>().ok());
    let year = if omitted == Some(year) || year < 1 { PLACEHOLDER_YEAR } else { year };
    let (month, day) = (rest.get(..2)?.parse().ok()?, rest.get(2..)?.parse().ok()?);
    Date::new(year, month, day).ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Cards, Vec<String>) {
        let mut losses = Losses::default();
        let cards = read(text.as_bytes(), "ana@example.com", &mut losses);
        (cards, losses.listed().iter().map(|loss| format!("{} {}", loss.line, loss.name)).collect())
    }

    fn card(lines: &str) -> String {
        format!("BEGIN:VCARD\nVERSION:4.0\n{lines}\nEND:VCARD\n")
    }

    #[test]
    fn days_are_read_as_cards_write_them() {
        for (value, date) in [
            ("BDAY:1815-12-10", Some("1815-12-10")),
            ("BDAY:18151210", Some("1815-12-10")),
            ("BDAY;VALUE=DATE:18151210T000000Z", Some("1815-12-10")),
            ("BDAY:--1210", Some("2000-12-10")),
            ("BDAY:--02-29", Some("2000-02-29")),
            ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29", Some("2000-02-29")),
            ("BDAY:1815", None),
            ("BDAY:1815-12", None),
            ("BDAY:1815-13-10", None),
            ("BDAY:circa 1800", None),
            ("BDAY:---10", None),
        ] {
            let (cards, losses) = read_text(&card(&format!("FN:Ada\n{value}")));
            let found = cards.days.first().map(|(_, day)| day.date.to_string());
            assert_eq!(found.as_deref(), date, "{value}");
            assert_eq!(losses.is_empty(), date.is_some(), "{value}");
        }
    }

    #[test]
    fn days_have_kinds_and_contacts() {
        let text = "UID:u1\nFN:Ada\nBDAY:18151210\nANNIVERSARY:18350708\nitem1.X-ABDATE:20200101\n\
                    item1.X-ABLabel:_$!<Anniversary>!$_\nitem2.X-ABDATE:20200102\nitem2.X-ABLabel:First day\n\
                    item3.X-ABDATE:20200103\nDEATHDATE:18521127";
        let (cards, losses) = read_text(&card(text));
        let kinds: Vec<DayKind> = cards.days.iter().map(|(_, day)| day.kind.clone()).collect();
        let custom = DayKind::Custom("First day".to_owned());
        assert_eq!(kinds, [DayKind::Birthday, DayKind::Anniversary, DayKind::Anniversary, custom, DayKind::Other]);
        assert_eq!(losses, ["12 DEATHDATE"]);
        assert!(cards.days.iter().all(|(_, day)| day.contact == cards.days[0].1.contact && day.contact.is_some()));
        let (own, _) = read_text(&card("FN:Ana\nEMAIL:Ana@Example.com\nBDAY:19900301"));
        assert_eq!((&own.days[0].1.kind, &own.days[0].1.contact), (&DayKind::Own, &None));
    }

    #[test]
    fn names_are_found_in_any_property() {
        for (lines, name) in [
            ("FN:Ada\\, Countess", "Ada, Countess"),
            ("N:Lovelace;Ada;King;Lady;", "Lady Ada King Lovelace"),
            ("FN:\nORG:Analytical Engines", "Analytical Engines"),
            ("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ren=C3=A9e", "Ren\u{e9}e"),
        ] {
            let (cards, _) = read_text(&card(&format!("{lines}\nBDAY:18151210")));
            assert_eq!(cards.days[0].1.name, name);
        }
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        let (cards, losses) = read_text(&format!("hello\nFN:x\n{}BEGIN:VCARD\nFN:y\nBDAY:2000-01-01", card("FN:z")));
        assert_eq!((cards.days.len(), cards.without_days), (0, 1));
        assert_eq!(losses, ["1 hello", "2 FN", "7 VCARD"]);
        let (unnamed, losses) = read_text(&card("BDAY:2000-01-01"));
        assert_eq!((unnamed.days.len(), losses), (0, vec!["1 FN".to_owned()]));
    }
}
