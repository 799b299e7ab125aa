//! Query parameters of pages.

/// Parameters of a query, in order. Invalid encodings are kept as is, so that every query is accepted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Parses a query.
    pub(crate) fn parse(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        Self(pairs.into_owned().collect())
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

#[cfg(test)]
mod tests {
    use super::Parameters;

    #[test]
    fn every_query_is_accepted() {
        let read = Parameters::parse(Some("a=1+2&b=%C3%A9%2&a=&c&%61=%zz%f&=x&&d=%FF"));
        assert_eq!(read.all("a").collect::<Vec<_>>(), ["1 2", "", "%zz%f"]);
        assert_eq!((read.get("b"), read.get("c"), read.get("d")), (Some("é%2"), None, Some("\u{fffd}")));
        assert_eq!(Parameters::parse(None).get("a"), None);
    }
}
