//! Query parameters of pages.

/// Parameters of a query, in order. Invalid encodings are kept as is, so that every query is accepted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Parses a query.
    pub(crate) fn of(query: Option<&str>) -> Self {
        let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
        let decoded = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        });
        Self(decoded.collect())
    }

    /// Returns the first non-empty value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).find(|value| !value.is_empty())
    }

    /// Returns all values of a name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = if *first == b'%' { after.first_chunk::<2>().and_then(hexadecimal) } else { None };
        match (first, escaped) {
            (_, Some(byte)) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
                continue;
            }
            (b'+', None) => bytes.push(b' '),
            (other, None) => bytes.push(*other),
        }
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal([high, low]: &[u8; 2]) -> Option<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    #[test]
    fn every_query_is_read() {
        let read = Parameters::of(Some("a=1+2&b=%C3%A9%2&a=&c&%61=%zz%f&=x&&d=%FF"));
        assert_eq!(read.all("a").collect::<Vec<_>>(), ["1 2", "", "%zz%f"]);
        assert_eq!((read.get("b"), read.get("c"), read.get("d")), (Some("é%2"), None, Some("\u{fffd}")));
        assert_eq!(Parameters::of(None).get("a"), None);
    }
}
