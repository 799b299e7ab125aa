//! Detection of paged responses whose items, ends and next pages are within resources of the response.

use serde_json::{Value, json};

use super::pages::{limit, list, number, pages, query, text};

fn notes() -> Value {
    json!({ "type": "array", "items": { "$ref": "#/components/schemas/Note" } })
}

fn object(members: Value) -> Value {
    json!({ "type": "object", "properties": members })
}

#[test]
fn ends_are_found_in_descriptions_of_the_page() {
    let flag = || json!({ "type": "boolean" });
    let page = || query("page", json!({ "type": "integer", "default": 1 }));
    for (parameters, schema, expected) in [
        (
            vec![page(), limit()],
            json!({ "data": notes(), "meta": object(json!({ "total": number(), "current_page": number() })) }),
            json!({ "size": "limit", "number": "page", "total": "meta.total", "current": "meta.current_page", "items": "data" }),
        ),
        (
            vec![page()],
            json!({ "items": notes(), "pagination": object(json!({ "hasNext": flag() })) }),
            json!({ "number": "page", "more": "pagination.hasNext", "items": "items" }),
        ),
        (
            vec![query("page", number()), query("size", number())],
            json!({ "content": notes(), "page": object(json!({
                "size": number(), "number": number(), "totalElements": number(), "totalPages": number(),
            })) }),
            json!({
                "size": "size", "number": "page", "first": 0, "total_pages": "page.totalPages",
                "total": "page.totalElements", "current": "page.number", "items": "content",
            }),
        ),
        (
            vec![query("cursor", text())],
            json!({ "data": notes(), "meta": object(json!({ "next_cursor": text() })) }),
            json!({ "token": "cursor", "next": "meta.next_cursor", "items": "data" }),
        ),
        // A field of the response itself takes precedence.
        (
            vec![query("offset", number()), limit()],
            json!({ "data": notes(), "total": number(), "meta": object(json!({ "total_count": number() })) }),
            json!({ "size": "limit", "offset": "offset", "total": "total", "items": "data" }),
        ),
    ] {
        let (found, guesses) = pages("get", list(parameters, schema, json!({})));
        assert_eq!(found, expected);
        assert_eq!(guesses.len(), 1, "{guesses:?}");
    }
}

#[test]
fn links_and_items_are_found_within_the_response() {
    let link = |next: Value| json!({ "data": notes(), "links": object(json!({ "next": next, "prev": text() })) });
    for (schema, expected) in [
        (link(text()), json!({ "next_url": "links.next", "items": "data" })),
        (link(object(json!({ "href": text() }))), json!({ "next_url": "links.next.href", "items": "data" })),
        (
            json!({ "data": object(json!({ "items": notes(), "next_page_url": text() })) }),
            json!({ "next_url": "data.next_page_url", "items": "data.items" }),
        ),
        (
            json!({
                "_embedded": object(json!({ "noteList": notes() })),
                "_links": object(json!({ "next": object(json!({ "href": text() })) })),
            }),
            json!({ "next_url": "_links.next.href", "items": "_embedded.noteList" }),
        ),
    ] {
        let (found, guesses) = pages("get", list(vec![limit()], schema, json!({})));
        let mut expected = expected;
        expected["size"] = json!("limit");
        assert_eq!(found, expected);
        assert!(guesses[0].starts_with("pagination of `"), "{guesses:?}");
    }
}

#[test]
fn lists_of_other_resources_are_not_the_items() {
    for schema in [
        json!({ "user": object(json!({ "notes": notes() })), "meta": object(json!({ "total": number() })) }),
        json!({ "meta": object(json!({ "errors": notes(), "total": number() })) }),
    ] {
        let (found, guesses) = pages("get", list(vec![query("page", number()), limit()], schema, json!({})));
        assert_eq!((found, guesses), (Value::Null, Vec::new()));
    }
}
