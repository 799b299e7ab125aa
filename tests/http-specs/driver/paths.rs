//! Matching of URLs with the paths of operations.

use wireform_client::wire::operation::{Segment, SegmentPart};

use crate::Call;

/// The match of a URL and an operation.
pub struct PathMatch {
    /// Prefix before the base path of the API.
    pub prefix: String,
    /// Values of the path variables, by parameter name.
    pub variables: Vec<(&'static str, String)>,
    /// Number of literal characters in the path.
    pub literals: usize,
}

#[derive(Clone)]
enum Token {
    Text(String),
    Variable(&'static str),
}

/// Matches the path of an operation with the end of a URL.
pub fn find(call: &Call, uri: &str) -> Option<PathMatch> {
    let mut tokens = vec![Token::Text(call.base_path.to_owned())];
    for segment in call.operation.path {
        tokens.push(Token::Text("/".to_owned()));
        match *segment {
            Segment::Literal(text) => tokens.push(Token::Text(text.to_owned())),
            Segment::Variable(name) | Segment::CatchAll(name) | Segment::Pattern(name, _) => {
                tokens.push(Token::Variable(name));
            }
            Segment::Parts(parts) => tokens.extend(parts.iter().map(|part| match *part {
                SegmentPart::Text(text) => Token::Text(text.to_owned()),
                SegmentPart::Variable(name) => Token::Variable(name),
            })),
        }
    }
    if let Some(verb) = call.operation.verb {
        tokens.push(Token::Text(format!(":{verb}")));
    }
    let literals = tokens.iter().map(|token| if let Token::Text(text) = token { text.len() } else { 0 }).sum();
    // Only an API without a base path can have a prefix.
    let path = uri.split('?').next().unwrap_or_default();
    // The mock server accepts the path with and without the trailing slash.
    let path = if call.operation.path == [Segment::Literal("")] { format!("{path}/") } else { path.to_owned() };
    let starts = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    starts.filter(|at| *at == 0 || call.base_path.is_empty()).find_map(|at| {
        let variables = matches(&tokens, &path[at..])?;
        Some(PathMatch { prefix: path[..at].to_owned(), variables, literals })
    })
}

fn matches(tokens: &[Token], text: &str) -> Option<Vec<(&'static str, String)>> {
    match tokens {
        [] => text.is_empty().then(Vec::new),
        [Token::Text(first), rest @ ..] => matches(rest, text.strip_prefix(first.as_str())?),
        [Token::Variable(name), rest @ ..] => (0..=text.len()).filter(|end| text.is_char_boundary(*end)).find_map(|end| {
            let mut found = matches(rest, &text[end..])?;
            found.push((*name, text[..end].to_owned()));
            Some(found)
        }),
    }
}
