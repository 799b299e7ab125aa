//! Which operation has an address, and what its variables hold there.

use wireform_client::wire::operation::{Segment, SegmentPart};

use crate::Call;

/// What was found.
pub struct Found {
    /// What stands in front of the path of the API.
    pub prefix: String,
    /// The texts of variables, by the name of the parameter.
    pub variables: Vec<(&'static str, String)>,
    /// How many characters of the path are no variable.
    pub literals: usize,
}

#[derive(Clone)]
enum Token {
    Text(String),
    Variable(&'static str),
}

/// Holds the path of an operation against an address, at the end of which it stands.
pub fn find(call: &Call, uri: &str) -> Option<Found> {
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
    // The address of the server can have a path of its own only where the schema knows of none.
    let path = uri.split('?').next().unwrap_or_default();
    // The server takes both.
    let path = if call.operation.path == [Segment::Literal("")] { format!("{path}/") } else { path.to_owned() };
    let starts = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    starts.filter(|at| *at == 0 || call.base_path.is_empty()).find_map(|at| {
        let variables = matches(&tokens, &path[at..])?;
        Some(Found { prefix: path[..at].to_owned(), variables, literals })
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
