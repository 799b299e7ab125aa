//! Regular expressions for numbers as text, and for URI schemes.

/// Returns a pattern of the decimal integers in a range, in canonical form: no leading zeros, no `+`, no `-0`.
pub fn integers(least: i128, most: i128) -> String {
    let mut found = Vec::new();
    if least < 0 {
        let below = digits((-most).max(1).unsigned_abs(), least.unsigned_abs());
        found.push(format!("-{}", one_of(below)));
    }
    if most >= 0 {
        found.extend(digits(least.max(0).unsigned_abs(), most.unsigned_abs()));
    }
    format!("^{}$", one_of(found))
}

/// Returns `(?:a|b)`, or `a` if there is only one alternative.
pub fn one_of(mut alternatives: Vec<String>) -> String {
    match alternatives.len() {
        1 => alternatives.remove(0),
        _ => format!("(?:{})", alternatives.join("|")),
    }
}

/// Returns patterns of the numbers in a range, as alternatives.
pub fn digits(least: u128, most: u128) -> Vec<String> {
    let mut found = Vec::new();
    // Range of lengths for which every number is in the range.
    let mut whole: Option<(usize, usize)> = None;
    for length in 1..=most.to_string().len() {
        let (first, last) = (if length == 1 { 0 } else { power_of_ten(length - 1) }, power_of_ten(length) - 1);
        let (low, high) = (first.max(least), last.min(most));
        if low > high {
            continue;
        }
        if (low, high) == (first, last) && length > 1 {
            whole = Some((whole.map_or(length - 1, |(from, _)| from), length - 1));
            continue;
        }
        found.extend(whole.take().map(digit_run));
        let (low, high) = (format!("{low:0length$}"), format!("{high:0length$}"));
        found.extend(same_length(low.as_bytes(), high.as_bytes()));
    }
    found.extend(whole.map(digit_run));
    found
}

fn power_of_ten(exponent: usize) -> u128 {
    10_u128.saturating_pow(u32::try_from(exponent).unwrap_or(u32::MAX))
}

fn digit_run((least, most): (usize, usize)) -> String {
    match (least, most) {
        (least, most) if least == most => format!("[1-9]{}", any_digits(least)),
        (least, most) => format!("[1-9][0-9]{{{least},{most}}}"),
    }
}

/// Returns a pattern of a number of digits.
fn any_digits(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "[0-9]".into(),
        count => format!("[0-9]{{{count}}}"),
    }
}

/// Returns patterns of the digit strings between two of the same length.
fn same_length(low: &[u8], high: &[u8]) -> Vec<String> {
    let ([first, low_rest @ ..], [last, high_rest @ ..]) = (low, high) else { return vec![String::new()] };
    if first == last {
        let rest = same_length(low_rest, high_rest);
        return vec![format!("{}{}", char::from(*first), one_of(rest))];
    }
    let whole_low = low_rest.iter().all(|digit| *digit == b'0');
    let whole_high = high_rest.iter().all(|digit| *digit == b'9');
    let mut found = Vec::new();
    if !whole_low {
        found.extend(same_length(low, &[&[*first], vec![b'9'; low_rest.len()].as_slice()].concat()));
    }
    let (from, to) = (first + u8::from(!whole_low), last - u8::from(!whole_high));
    if from <= to {
        found.push(format!("{}{}", class(from, to), any_digits(low_rest.len())));
    }
    if !whole_high {
        found.extend(same_length(&[&[*last], vec![b'0'; high_rest.len()].as_slice()].concat(), high));
    }
    found
}

/// Returns a pattern for one character of an inclusive ASCII range: `a`, `[ab]` or `[a-f]`.
fn class(from: u8, to: u8) -> String {
    let (from, to) = (char::from(from), char::from(to));
    match u32::from(to) - u32::from(from) {
        0 => from.to_string(),
        1 => format!("[{from}{to}]"),
        _ => format!("[{from}-{to}]"),
    }
}

/// Returns a pattern of URLs with one of the schemes, case-insensitive.
pub fn schemes(schemes: &[String]) -> String {
    let letter = |c: char| match c {
        c if c.is_ascii_alphabetic() => format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase()),
        '+' | '.' => format!("\\{c}"),
        c => c.to_string(),
    };
    let schemes = schemes.iter().map(|scheme| scheme.chars().map(letter).collect()).collect();
    format!("^{}:", one_of(schemes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_a_range_have_one_spelling() {
        assert_eq!(integers(0, 9), "^[0-9]$");
        assert_eq!(integers(5, 250), "^(?:[5-9]|[1-9][0-9]|1[0-9]{2}|2(?:[0-4][0-9]|50))$");
        assert_eq!(integers(0, 99_999), "^(?:[0-9]|[1-9][0-9]{1,4})$");
        assert_eq!(integers(-128, 0), "^(?:-(?:[1-9]|[1-9][0-9]|1(?:[01][0-9]|2[0-8]))|0)$");
    }

    #[test]
    fn the_pattern_of_a_range_takes_what_is_in_it() {
        for (least, most) in [(0, 0), (-7, -3), (0, 1000), (17, 4211), (-305, 96), (100, 999), (99, 100)] {
            let pattern = integers(least, most);
            let matcher = crate::patterns::compile_search(&pattern).expect("a pattern");
            for number in -5000_i128..5000 {
                let is_in = (least..=most).contains(&number);
                assert_eq!(matcher.is_match(&number.to_string()), is_in, "{pattern} {number}");
                assert!(!matcher.is_match(&format!("0{number}")), "{pattern} 0{number}");
            }
        }
    }
}
