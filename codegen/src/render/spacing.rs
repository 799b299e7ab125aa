//! Blank lines that prettyplease omits.

/// Returns the text with a blank line before each function of an `impl`. Every line of the text is code: emitted
/// strings are escaped, and comments occupy whole lines.
pub fn space_functions(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + text.len() / 64);
    let mut previous = "";
    for line in text.lines() {
        let commented = previous.trim_start().starts_with("//");
        let ends = previous == "    }" || previous.ends_with(';') && !commented;
        let member = line.strip_prefix("    ").unwrap_or_default();
        let begins = ["fn ", "pub fn ", "///", "#["].iter().any(|start| member.starts_with(start));
        if ends && begins {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        previous = line;
    }
    spaced
}
