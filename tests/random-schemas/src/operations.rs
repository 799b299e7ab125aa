//! Random operations.

use std::fmt::Write as _;

use crate::schema::Schema;

/// Writes the operations, and records the names of those that write.
pub fn write(schema: &mut Schema) -> String {
    let mut text = String::from("operations:\n");
    let count = schema.resources.len();
    for index in 0..count {
        of_resource(schema, index, &mut text);
    }
    text.push_str(POLL);
    let others = schema.some(OTHERS);
    others.into_iter().for_each(|operation| text.push_str(operation));
    if schema.sometimes() {
        with_parameters(schema, &mut text);
    }
    text
}

/// Operation that polls long-running operations.
const POLL: &str = "  works.get: { doc: Reads work., http: 'GET /works/{name}', path: { name: { type: string, doc: The work. } }, response: Work }\n";

/// Operations that do not depend on the resources.
const OTHERS: &[&str] = &[
    "  ping: { doc: Does nothing., http: POST /ping }\n",
    "  look: { doc: Looks., http: HEAD /look, query: { far: { type: bool, doc: Whether far away. } } }\n",
    "  forms.send: { doc: Sends a form., http: POST /forms, body: { type: Form, content_types: [application/x-www-form-urlencoded] }, response: Form }\n",
    "  forms.nested: { doc: Sends a form., http: POST /nested, body: { type: Form, style: brackets, content_types: [application/x-www-form-urlencoded] }, response: Form }\n",
    "  forms.upload: { doc: Sends a picture., http: POST /pictures, body: { type: Picture, content_types: [multipart/form-data] }, response: Form }\n",
    "  forms.lists: { doc: Sends lists., http: POST /delimited, root: 'https://forms.example.com', body: { type: Counts, lists: { words: pipe, counts: comma, days: json }, content_types: [application/x-www-form-urlencoded] }, response: Counts }\n",
    "  raw.put: { doc: Writes bytes., http: PUT /raw, body: { type: bytes, content_types: [image/png] }, responses: { 204: { doc: Written. } } }\n",
    "  raw.get: { doc: Reads bytes., http: GET /raw, response: { type: bytes, content_types: [image/png] }, conditional: [if_none_match] }\n",
    "  raw.text: { doc: Reads a text., http: GET /text, response: { type: string, content_types: [text/plain] } }\n",
    "  raw.any: { doc: Takes anything., http: POST /any, body: any, response: any }\n",
    "  raw.null: { doc: Takes null., http: PUT /null, body: Form?, response: double? }\n",
    "  raw.lists: { doc: Takes lists., http: POST /lists, body: { type: [[string]], items: 1..=4, unique: true, elements: { items: 1.. } }, response: { type: { string: int64 }, items: ..=9, encoding: decimal_string } }\n",
    "  raw.media: { doc: Adds media., http: POST /media, body: Form, response: Form, media: { upload: [image/*], simple: { path: /upload/media, multipart: true }, resumable: /resumable/media } }\n",
    "  raw.load: { doc: Reads media., http: GET /media, response: Form, media: { download: true } }\n",
    "  words.list: { doc: Lists words., http: GET /words, query: { page: { type: string, doc: The page. }, size: { type: int32, min: 1, clamp: 9, doc: The size. } }, response: Page, pages: { token: page, next: next, items: words, size: size } }\n  words.counted: { doc: Lists words by page., http: POST /counted, body: Search, response: Counted, pages: { in: body, number: page, first: 0, size: size, last: last, total: total, total_pages: pages, current: page, items: words } }\n",
    "  words.nested: { doc: Lists words within a resource., http: GET /within, query: { page: { type: int32, doc: The page. } }, response: Enclosing, pages: { number: page, first: 0, total: counted.total, last: counted.last, items: counted.words } }\n",
    "  words.changes: { doc: Lists changes., http: GET /changes, query: { page: { type: string, doc: The page. }, since: { type: string, doc: Since when. } }, response: Page, pages: { token: page, next: next, items: words }, sync: { resume: since, cursor: cursor, expired: { status: 410 } } }\n",
    "  words.maybe: { doc: Reads maybe., http: GET /maybe, responses: { 200: Form, 204: { doc: There is none. } } }\n  words.by_status: { doc: Reads by status., http: GET /status, responses: { 200: Form, 202: Page, 204: { doc: There is none. }, 302: { type: string, content_types: [text/plain], doc: Moved. } } }\n  words.count: { doc: Counts., http: GET /count, response: { type: int64, content_types: [text/plain] } }\n",
    "  words.headers: { doc: Reads headers., http: GET /headers, response: { type: Form, headers: { X-Left: { type: int32, doc: What is left. } } } }\n",
    "  words.gone: { doc: Fails., http: GET /gone, response: Form, errors: { 404: There is none., 409: { doc: Taken., reason: taken, body: Failure } } }\n",
    "  works.start: { doc: Starts work., http: POST /works, body: Form, response: Work, long_running: { response: Form } }\n",
    "  works.end: { doc: Ends., http: POST /end, response: Outcome }\n",
    "  deep.er.est.get: { doc: Reads deeply., http: 'GET /deep/{+name}', path: { name: { type: string, pattern: '^deep/[^/]+$', doc: The name. } }, response: Form }\n",
    "  deep.er.parts: { doc: Reads parts., http: 'GET /parts/{a}.{b}', path: { a: { type: string, doc: One. }, b: { type: int32, doc: Another. } }, response: Form }\n",
];

/// Writes some operations of a resource.
fn of_resource(schema: &mut Schema, index: usize, text: &mut String) {
    let resource = schema.resources[index].clone();
    let path = "path: { id: { type: string, doc: Which. } }";
    // Conditions of fields can depend on this parameter.
    let flag = "query: { flag: { type: bool, default: false, doc: A flag. } }, ";
    let read = if schema.sometimes() { ", conditional: [if_none_match]" } else { "" };
    let write = if schema.sometimes() { ", conditional: [if_match]" } else { "" };
    let optional = if schema.sometimes() { ", required: false" } else { "" };
    let all = [
        ("get", format!("GET /t{index}/{{id}}', {path}, {flag}response: {resource}{read}")),
        ("insert", format!("POST /t{index}', {flag}body: {{ type: {resource}{optional} }}, response: {resource}")),
        ("update", format!("PUT /t{index}/{{id}}', {path}, {flag}body: {resource}, response: {resource}{write}")),
        (
            "patch",
            format!(
                "PATCH /t{index}/{{id}}', {path}, {flag}body: {{ type: {resource}, as: merge_patch }}, response: {resource}{write}"
            ),
        ),
        ("delete", format!("DELETE /t{index}/{{id}}', {path}")),
        ("list", format!("GET /t{index}', response: [{resource}]")),
        (
            "document",
            format!(
                "PUT /t{index}/{{id}}:document', {path}, {flag}body: {{ type: {resource}{optional}, content_types: [application/json, application/xml] }}, response: {{ type: {resource}, content_types: [application/json, text/xml] }}{read}"
            ),
        ),
        (
            "rows",
            format!(
                "POST /t{index}:rows', {flag}body: {{ type: [{resource}]{optional}, content_types: [application/xml], xml: {{ name: rows, items: row }} }}, response: {{ type: {{ string: {resource} }}, content_types: [application/xml] }}"
            ),
        ),
        ("check", format!("POST /t{index}/{{id}}:check', {path}, {flag}body: {{ type: {{ string: {resource} }} }}")),
    ];
    let all = all.into_iter().chain(alternatives(schema, index, &resource, flag));
    for (name, line) in all {
        if schema.random.below(100) < 25 + schema.density {
            let _ = writeln!(text, "  things{index}.{name}: {{ doc: Does it., http: '{line} }}");
            if matches!(name, "insert" | "update") {
                schema.writes.push(format!("things{index}.{name}"));
            }
        }
    }
}

/// Returns operations with alternatives in the request or response body.
fn alternatives(
    schema: &mut Schema,
    index: usize,
    resource: &str,
    flag: &str,
) -> impl Iterator<Item = (&'static str, String)> + use<> {
    let path = "path: { id: { type: string, doc: Which one. } }";
    let mut some = |all: &[String]| {
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let mut chosen = schema.some(&all);
        let missing = all.iter().filter(|one| !chosen.contains(one)).take(2_usize.saturating_sub(chosen.len()));
        let missing: Vec<&str> = missing.copied().collect();
        chosen.extend(missing);
        chosen.join(", ")
    };
    let text = "text: { type: string, content_types: [text/plain] }";
    let image = "image: { type: bytes, content_types: ['image/*'] }";
    let bodies = some(&[
        format!("whole: {{ type: {resource}, name: Everything }}"),
        format!("merge_patch: {{ type: {resource}, as: merge_patch }}"),
        "json_patch: { as: json_patch }".to_owned(),
        format!("markup: {{ type: {resource}, content_types: [application/xml] }}"),
        text.to_owned(),
        image.to_owned(),
    ]);
    let alternatives = some(&[
        format!("json: {resource}"),
        format!("list: {{ type: [{resource}], content_types: [application/list+json] }}"),
        format!("markup: {{ type: {resource}, content_types: [application/xml, application/markup+json] }}"),
        text.to_owned(),
        image.to_owned(),
    ]);
    let required = if schema.sometimes() { "required: false, " } else { "" };
    let body = format!("body: {{ {required}alternatives: {{ {bodies} }} }}");
    let change = format!("PATCH /t{index}/{{id}}:change', {path}, {flag}{body}, response: {resource}");
    let show = format!("GET /t{index}/{{id}}:show', {path}, {flag}response: {{ alternatives: {{ {alternatives} }} }}");
    let edit = format!("PATCH /t{index}/{{id}}:edit', {path}, {flag}body: {{ as: json_patch }}");
    [("change", change), ("show", show), ("edit", edit)].into_iter()
}

/// Query parameters, from which an operation chooses.
const QUERY_PARAMETERS: [&str; 26] = [
    "size: { type: uint32, min: 1, clamp: 50, default: 10, doc: The size. }",
    "word: { type: string, length: 1..=9, required: true, doc: A word. }",
    "words: { type: [string], items: ..=3, unique: true, doc: Words. }",
    "numbers: { type: [int32], style: comma, doc: Numbers. }",
    "piped: { type: [string], style: pipe, doc: Words. }",
    "day: { type: date, doc: A day. }",
    "at: { type: datetime, doc: A time. }",
    "long: { type: int64, encoding: decimal_string, min: 5, doc: A number. }",
    "price: { type: decimal, min: 0.5, doc: A price. }",
    "every: { type: iso_duration, doc: How often. }",
    "clock: { type: time, doc: A time. }",
    "since: { type: unix_time, doc: A time. }",
    "seen: { type: unix_time, encoding: milliseconds, doc: A time. }",
    "key: { type: bytes, encoding: base64url_unpadded, doc: Bytes. }",
    "fixed: { type: string, const: yes-it-is, doc: A constant. }",
    "filter: { type: Filter, style: deep, doc: A filter. }",
    "nested: { type: Filter, style: brackets, doc: A filter. }",
    "listed: { type: [int32], style: brackets, doc: Numbers. }",
    "pairs: { type: { string: int32 }, style: pairs, doc: Numbers by name. }",
    "json: { type: any, style: json, doc: JSON. }",
    "type: { type: string, format: email, aliases: [kind], doc: An address. }",
    "old: { type: bool, deprecated: true, doc: Not used. }",
    "share: { type: double, max: 1, doc: A share. }",
    "weight: { type: number, min: { exclusive: 0 }, doc: A weight. }",
    "data: { type: bytes, length: ..=9, doc: Bytes. }",
    "pattern: { type: string, pattern: '[a-z]+', doc: Letters. }",
];

/// Writes an operation with all kinds of parameters.
fn with_parameters(schema: &mut Schema, text: &mut String) {
    let mut query: Vec<String> = schema.some(&QUERY_PARAMETERS).into_iter().map(str::to_owned).collect();
    for at in 0..schema.enums.len() {
        let name = schema.enums[at].name.clone();
        query.extend(schema.sometimes().then(|| format!("enum{at}: {{ type: {name}, doc: One of several. }}")));
    }
    let headers = schema.some(&[
        "X-Trace: { type: string, doc: A trace. }",
        "X-List: { type: [int32], doc: Numbers. }",
        "X-Since: { type: http_date, doc: A date. }",
        "X-Filter: { type: Filter, style: assigned, doc: A filter. }",
    ]);
    let cookies = schema.some(&[
        "session: { type: string, doc: A session. }",
        "seen: { type: [int32], doc: Numbers. }",
        "marks: { type: [string], style: comma, doc: Words. }",
    ]);
    let rules = if query.iter().any(|one| one.starts_with("day:")) && schema.sometimes() {
        ", rules: [{ id: search.day, cel: 'has(params.day)', message: give a day }]"
    } else {
        ""
    };
    let mut line = String::from(
        "  search: { doc: Searches., http: 'GET /search/{in}', path: { in: { type: int32, min: 1, doc: Where. } }",
    );
    for (key, parameters) in
        [("query", query.join(", ")), ("headers", headers.join(", ")), ("cookies", cookies.join(", "))]
    {
        if !parameters.is_empty() {
            let _ = write!(line, ", {key}: {{ {parameters} }}");
        }
    }
    let _ = writeln!(text, "{line}, response: Form{rules} }}");
}
