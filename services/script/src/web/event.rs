//! Argument of `doGet` and `doPost`.

use serde_json::{Map, Value, json};

/// Request to a web app.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebRequest {
    /// Query without its question mark.
    pub query: String,
    /// Path after `exec/`.
    pub path: Option<String>,
    /// Media type and bytes of the body of a `POST`.
    pub post: Option<(String, Vec<u8>)>,
}

impl WebRequest {
    /// Returns the name of the function that handles the request.
    pub(super) fn function(&self) -> &'static str {
        if self.post.is_some() { "doPost" } else { "doGet" }
    }

    /// Returns the event for the function.
    pub(super) fn event(&self) -> Value {
        let mut pairs: Vec<_> = form_urlencoded::parse(self.query.as_bytes()).into_owned().collect();
        let mut event = json!({ "queryString": self.query, "contextPath": "", "contentLength": -1 });
        let Some(members) = event.as_object_mut() else { return event };
        if let Some((media_type, body)) = &self.post {
            let contents = String::from_utf8_lossy(body);
            let kind = media_type.split(';').next().unwrap_or_default().trim();
            if kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
                pairs.extend(form_urlencoded::parse(contents.as_bytes()).into_owned());
            }
            let data = json!({ "length": body.len(), "type": kind, "contents": contents, "name": "postData" });
            members.insert("contentLength".to_owned(), body.len().into());
            members.insert("postData".to_owned(), data);
        }
        if let Some(path) = &self.path {
            members.insert("pathInfo".to_owned(), path.as_str().into());
        }
        let (mut first, mut all) = (Map::new(), Map::new());
        for (name, value) in pairs {
            first.entry(name.clone()).or_insert_with(|| value.as_str().into());
            if let Value::Array(values) = all.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
                values.push(value.into());
            }
        }
        members.insert("parameter".to_owned(), first.into());
        members.insert("parameters".to_owned(), all.into());
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_come_from_the_query_and_from_forms() {
        let post = Some(("application/x-www-form-urlencoded; charset=utf-8".to_owned(), b"a=3&c=%C3%A4%2".to_vec()));
        let request = WebRequest { query: "a=1&a=2+x&b".to_owned(), path: Some("p/q".to_owned()), post };
        let event = request.event();
        assert_eq!(event["parameter"], json!({ "a": "1", "b": "", "c": "ä%2" }));
        assert_eq!(event["parameters"], json!({ "a": ["1", "2 x", "3"], "b": [""], "c": ["ä%2"] }));
        let data = json!({ "length": 14, "type": "application/x-www-form-urlencoded", "contents": "a=3&c=%C3%A4%2", "name": "postData" });
        assert_eq!(
            (&event["postData"], &event["contentLength"], &event["pathInfo"]),
            (&data, &json!(14), &json!("p/q"))
        );
        let get = WebRequest::default().event();
        assert_eq!((&get["contentLength"], get.get("postData"), get.get("pathInfo")), (&json!(-1), None, None));
    }
}
