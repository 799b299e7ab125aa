//! Idioms of other languages in conditions, with their CEL equivalents.

/// Returns the replacement of an operator that is a word in other languages.
pub fn word(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "or" => "write `||`",
        "and" => "write `&&`",
        "not" => "write `!`: `!has(this.title)`",
        "is" => "write `==`, or `has(x)` for whether something is there",
        "like" => "write `x.matches('pattern')`, `x.startsWith('a')`, `x.endsWith('a')` or `x.contains('a')`",
        "between" => "write both ends: `x >= 1 && x <= 3`",
        "if" | "then" | "else" => "write `condition ? one : other`",
        "?" => "write `has(x) ? x : other`",
        _ => return None,
    })
}

/// Returns the replacement of a function or property that texts and lists have in other languages.
pub fn function(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "length" | "len" | "count" | "strlen" => "write `size(x)`: the code points of a text, the elements of a list",
        "isempty" | "empty" | "is_empty" => "write `size(x) == 0`",
        "includes" | "has_key" | "haskey" | "containskey" => {
            "write `x.contains('part')` for a text, `element in x` for a list and `'key' in x` for a map"
        }
        "match" | "test" | "regex" | "regexp" => "write `x.matches('pattern')`",
        "any" | "some" => "write `x.exists(e, condition)`",
        "every" | "forall" => "write `x.all(e, condition)`",
        "isnull" | "is_null" | "exists" | "defined" | "isset" | "present" => "write `has(x)`, or `!has(x)`",
        "startwith" | "starts_with" | "hasprefix" => "write `x.startsWith('a')`",
        "endwith" | "ends_with" | "hassuffix" => "write `x.endsWith('a')`",
        "lower" | "tolower" | "upper" | "toupper" | "trim" => {
            "leave it out: texts are compared as they are; `x.matches('(?i)…')` does not tell capitals from small letters"
        }
        "now" | "today" => "leave it out: a condition has no clock, so that it says the same at any time",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::functions;

    #[test]
    fn what_cel_has_is_no_habit() {
        for name in functions::names() {
            assert!(word(name).is_none(), "{name}");
            assert!(name == "exists" || function(name).is_none(), "{name}");
        }
    }
}
