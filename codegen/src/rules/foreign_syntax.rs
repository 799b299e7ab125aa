//! Idioms of other languages in conditions, with their CEL equivalents.

/// Returns the replacement of an operator that is a word in other languages.
pub fn operator_replacement(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "or" => "write `||`",
        "and" => "write `&&`",
        "not" => "write `!`: `!has(this.title)`",
        "is" => "write `==`, or `has(x)` to check for presence",
        "like" => "write `x.matches('pattern')`, `x.startsWith('a')`, `x.endsWith('a')` or `x.contains('a')`",
        "between" => "write both comparisons: `x >= 1 && x <= 3`",
        "if" | "then" | "else" => "write `condition ? one : other`",
        "?" => "write `has(x) ? x : other`",
        _ => return None,
    })
}

/// Returns the replacement of a function or property that texts and lists have in other languages.
pub fn function_replacement(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "length" | "len" | "count" | "strlen" => {
            "write `size(x)`: the number of code points of a string or of elements of a list"
        }
        "isempty" | "empty" | "is_empty" => "write `size(x) == 0`",
        "includes" | "has_key" | "haskey" | "containskey" => {
            "write `x.contains('part')` for a string, `element in x` for a list or `'key' in x` for a map"
        }
        "match" | "test" | "regex" | "regexp" => "write `x.matches('pattern')`",
        "any" | "some" => "write `x.exists(e, condition)`",
        "every" | "forall" => "write `x.all(e, condition)`",
        "isnull" | "is_null" | "exists" | "defined" | "isset" | "present" => "write `has(x)`, or `!has(x)`",
        "startwith" | "starts_with" | "hasprefix" => "write `x.startsWith('a')`",
        "endwith" | "ends_with" | "hassuffix" => "write `x.endsWith('a')`",
        "lower" | "tolower" | "upper" | "toupper" | "trim" => {
            "remove it: strings are compared exactly; use `x.matches('(?i)…')` to ignore case"
        }
        "now" | "today" => "remove it: conditions have no clock, because their values must not depend on the time",
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
            assert!(operator_replacement(name).is_none(), "{name}");
            assert!(name == "exists" || function_replacement(name).is_none(), "{name}");
        }
    }
}
