//! Parser of multipart bodies (RFC 2046, section 5.1). Parsed parts borrow from the body.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::list::is_token;
use super::percent;

/// Maximum number of headers of a part.
const MAX_HEADERS: usize = 100;

/// Whitespace around the value of a header.
const SPACES: [char; 2] = [' ', '\t'];

/// Maximum number of parameters of a header.
const MAX_PARAMETERS: usize = 16;

/// Header: its name, and its trimmed value.
pub type Header<'b> = (&'b str, Cow<'b, str>);

/// Error of parsing a multipart body. It repeats nothing of the body, which may hold secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The last boundary is missing: the body is truncated.
    Truncated,
    /// There are more parts than the limit allows.
    TooManyParts,
    /// The headers of a part cannot be parsed.
    InvalidHeaders,
}

/// Accepted line ends of boundary lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// CR LF only, as the specification requires: the content of a part is kept byte by byte.
    Strict,
    /// CR LF, or LF alone, as some programs write them.
    Lenient,
}

/// Returns the boundary parameter of a media type, if it has 1 to 70 characters that are allowed in a boundary.
#[must_use]
pub fn boundary(media_type: &str) -> Option<String> {
    let (_, parameters) = media_type.split_at(media_type.find(';')?);
    let boundary = self::parameters(parameters)?.into_iter().find(|(name, _)| name == "boundary")?.1;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(&byte);
    let fits = (1..=70).contains(&boundary.len()) && boundary.bytes().all(plain) && !boundary.ends_with(' ');
    fits.then_some(boundary)
}

/// Returns the parts of a body in their order, including their headers.
///
/// # Errors
/// Returns an error if the last boundary is missing, or there are more than `max_parts` parts.
pub fn parts<'b>(body: &'b [u8], boundary: &str, breaks: Breaks, max_parts: usize) -> Result<Vec<&'b [u8]>, ReadError> {
    let mut found = Vec::new();
    let mut start_of_part: Option<usize> = None;
    let mut at = 0;
    while at < body.len() {
        let line = line(body, at);
        let next = at + line.len();
        if let Some(last) =
            parse_delimiter(line, boundary).filter(|_| breaks == Breaks::Lenient || is_line(body, at, next))
        {
            if let Some(start) = start_of_part {
                if found.len() == max_parts {
                    return Err(ReadError::TooManyParts);
                }
                // The line break before a boundary belongs to the boundary.
                found.push(without_break(body.get(start..at).unwrap_or_default()));
            }
            if last {
                return Ok(found);
            }
            start_of_part = Some(next);
        }
        at = next;
    }
    Err(ReadError::Truncated)
}

/// Returns whether a line is enclosed by CR LF or an end of the body.
fn is_line(body: &[u8], at: usize, next: usize) -> bool {
    let ends = |end: usize| body.get(..end).is_some_and(|text| text.ends_with(b"\r\n"));
    (at == 0 || ends(at)) && (next == body.len() || ends(next))
}

/// Returns the line that starts at `at`, with its line break.
pub(crate) fn line(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
    rest.get(..length).unwrap_or_default()
}

/// Returns `None` if a line is not a boundary, else whether it is the last one. Spaces may follow it.
fn parse_delimiter(line: &[u8], boundary: &str) -> Option<bool> {
    let rest = line.strip_prefix(b"--")?.strip_prefix(boundary.as_bytes())?;
    let (rest, last) = rest.strip_prefix(b"--").map_or((rest, false), |rest| (rest, true));
    rest.trim_ascii().is_empty().then_some(last)
}

/// Removes one line break from the end, LF or CRLF.
pub(crate) fn without_break(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text)
}

/// Handling of folded header values, whose continuation lines start with a space or a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// Unfolded, as in mail: the parts of a body have such headers (RFC 2046, section 5.1; RFC 5322, section 2.2.3).
    Unfold,
    /// Rejected, as in HTTP (RFC 9112, section 5.2).
    Refuse,
}

/// Parses headers up to an empty line or the end, and returns them with the rest.
///
/// # Errors
/// Returns an error if a line is not a header, there are more than 100, or a value contains control characters.
pub fn headers(text: &[u8], folding: Folding) -> Result<(Vec<Header<'_>>, &[u8]), ReadError> {
    let mut found: Vec<Header<'_>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let line = line(text, at);
        at += line.len();
        let line = without_break(line);
        if line.is_empty() {
            break;
        }
        let line = std::str::from_utf8(line).map_err(|_| ReadError::InvalidHeaders)?;
        if line.contains(|c: char| c.is_control() && c != '\t') {
            return Err(ReadError::InvalidHeaders);
        }
        if line.starts_with(SPACES) {
            let (_, value) =
                found.last_mut().filter(|_| folding == Folding::Unfold).ok_or(ReadError::InvalidHeaders)?;
            unfold(value, line)?;
            continue;
        }
        let (name, value) = line.split_once(':').ok_or(ReadError::InvalidHeaders)?;
        if !is_token(name) || found.len() == MAX_HEADERS {
            return Err(ReadError::InvalidHeaders);
        }
        found.push((name, value.trim_matches(SPACES).into()));
    }
    Ok((found, text.get(at..).unwrap_or_default()))
}

/// Appends a continuation line to the value of the previous header. A line of spaces only is rejected, because some
/// parsers treat it as the end of the headers.
fn unfold(value: &mut Cow<'_, str>, line: &str) -> Result<(), ReadError> {
    let line = line.trim_matches(SPACES);
    if line.is_empty() {
        return Err(ReadError::InvalidHeaders);
    }
    let value = value.to_mut();
    if !value.is_empty() {
        value.push(' ');
    }
    value.push_str(line);
    Ok(())
}

/// Returns the value of the only header with this name, which is compared without regard to case; `None` if there are
/// several.
#[must_use]
pub fn only<'h>(headers: &'h [Header<'_>], name: &str) -> Option<&'h str> {
    let mut found = headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
    let (_, value) = found.next()?;
    found.next().is_none().then_some(value)
}

/// `Content-Disposition` of a part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disposition {
    /// Name of the field.
    pub name: String,
    /// File name of the part.
    pub file_name: Option<String>,
}

/// Parses the `Content-Disposition` of a part of a form (RFC 7578, section 4.2); `None` if it is malformed or has no
/// name. Names are unescaped as browsers escape them: `%22`, `%0D` and `%0A`. A `filename*` is used only if there is no
/// `filename`.
#[must_use]
pub fn disposition(value: &str) -> Option<Disposition> {
    let (kind, parameters) = value.split_at(value.find(';')?);
    if !kind.trim_ascii().eq_ignore_ascii_case("form-data") {
        return None;
    }
    let (mut name, mut file_name, mut extended) = (None, None, None);
    for (parameter, value) in self::parameters(parameters)? {
        match &*parameter {
            "name" => name = Some(unescape(&value)),
            "filename" => file_name = Some(unescape(&value)),
            "filename*" => extended = Some(value),
            _ => {}
        }
    }
    let file_name = match (file_name, extended) {
        (None, Some(value)) => Some(decode_extended(&value)?),
        (file_name, _) => file_name,
    };
    Some(Disposition { name: name?, file_name })
}

/// Decodes the quotes and line breaks that HTML forms percent-encode in names; other text stays as it is.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let escaped = match after.get(..2) {
            Some("22") => Some('"'),
            Some("0D" | "0d") => Some('\r'),
            Some("0A" | "0a") => Some('\n'),
            _ => None,
        };
        out.push(escaped.unwrap_or('%'));
        rest = if escaped.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    out.push_str(rest);
    out
}

/// Decodes an extended value, such as `UTF-8'en'%C3%A9` (RFC 8187, section 3.2).
fn decode_extended(value: &str) -> Option<String> {
    let mut pieces = value.splitn(3, '\'');
    let (charset, _, text) = (pieces.next()?, pieces.next()?, pieces.next()?);
    if !charset.eq_ignore_ascii_case("utf-8") {
        return None;
    }
    percent::decode(text).ok().map(Cow::into_owned)
}

/// Parses the parameters after a value, with names in lower case: `; name=value; other="a \"value\""`. Returns `None`
/// if they are malformed or contain a duplicate.
fn parameters(mut text: &str) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    loop {
        text = text.trim_ascii_start();
        if text.is_empty() {
            return Some(found);
        }
        text = text.strip_prefix(';')?.trim_ascii_start();
        if text.is_empty() || text.starts_with(';') {
            continue;
        }
        let (name, value) = text.split_once('=')?;
        let (name, value) = (name.trim_ascii().to_ascii_lowercase(), value.trim_ascii_start());
        if !is_token(&name) || found.len() == MAX_PARAMETERS || found.iter().any(|(known, _)| *known == name) {
            return None;
        }
        let (value, rest) = match value.strip_prefix('"') {
            Some(value) => quoted(value)?,
            None => {
                let (value, rest) = value.split_at(value.find(';').unwrap_or(value.len()));
                (value.trim_ascii_end().to_owned(), rest)
            }
        };
        found.push((name, value));
        text = rest;
    }
}

/// Parses a quoted string after its opening quote, and returns it with the rest. A backslash is an escape only before a
/// quote or another backslash, since some programs write file paths with single ones.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((out, text.get(at + 1..)?)),
            '\\' => out.push(chars.next_if(|(_, next)| matches!(next, '"' | '\\')).map_or('\\', |(_, next)| next)),
            c => out.push(c),
        }
    }
    None
}
