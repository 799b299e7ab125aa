use wireform_runtime::naming::AliasedName;
use wireform_runtime::operation::{
    AuthRequirement, ErrorFields, Parameter, RoleValues, Segment, Segment::*, SegmentPart, SegmentPattern,
};

use super::*;

static API: Api = Api {
    name: "sample",
    version: "v1",
    root_url: None,
    base_path: AliasedName { name: "/s/v1", aliases: &["/s", "/public/v1"] },
    endpoints: &[],
    batch: None,
    unimplemented: &[
        Unimplemented { name: "shelves.list", method: "GET", path: "/shelves" },
        Unimplemented { name: "events.change", method: "PATCH", path: "/calendars/{a}/events/{b}" },
        Unimplemented { name: "keys.enable", method: "POST", path: "/keys/{key}:enable" },
        Unimplemented { name: "keys.disable", method: "POST", path: "/keys/{key}:disable" },
    ],
    scopes: &[],
    standard_parameters: &[],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields::NONE,
};

macro_rules! contracts {
    ($($method:literal $path:expr, $verb:expr;)*) => { &[$(&Contract::new(
        &Operation {
            name: "",
            method: $method,
            path: $path,
            verb: $verb,
            parameters: &[Parameter::path("a"), Parameter::path("b")],
            scopes: AuthRequirement::None,
            api_key: false,
            safe: false,
            idempotent: false,
            cost: 1,
        },
    ),)*] };
}

static CONTRACTS: &[&Contract] = contracts! {
    "GET" &[Literal("calendars"), Variable("a"), Literal("events"), Variable("b")], None;
    "POST" &[Literal("calendars"), Variable("a"), Literal("events"), Literal("import")], None;
    "GET" &[Literal("calendars"), Variable("a"), Literal("events")], None;
    "POST" &[Literal("scripts"), Variable("a")], Some("run");
    "GET" &[Literal("scripts"), Variable("a")], None;
    "GET" &[Literal("files"), CatchAll("a")], None;
    "POST" &[Literal("files"), CatchAll("a"), Literal("parts"), Variable("b")], Some("cancel");
    "DELETE" &[Literal("calendars"), Variable("a"), Literal("events"), Variable("b")], None;
    "GET" &[Literal("processes")], Some("list");
    "GET" &[], None;
    "GET" &[Pattern("a", &[SegmentPattern::Literal("projects"), SegmentPattern::Wildcard])], None;
    "GET" &[Pattern("a", &[SegmentPattern::Literal("projects"), SegmentPattern::Wildcard, SegmentPattern::Literal("places"), SegmentPattern::Wildcard])], None;
    "POST" &[Pattern("a", &[SegmentPattern::Literal("projects"), SegmentPattern::Wildcard, SegmentPattern::Literal("places"), SegmentPattern::Wildcard])], Some("cancel");
    "GET" &[Pattern("a", &[SegmentPattern::Literal("projects"), SegmentPattern::Wildcard]), Literal("places"), Variable("b"), Literal("things")], None;
    "GET" &[Pattern("a", &[SegmentPattern::Literal("shelves"), SegmentPattern::DoubleWildcard]), Pattern("b", &[SegmentPattern::Literal("books"), SegmentPattern::Wildcard])], None;
    "GET" &[Literal("pages"), Variable("a")], None;
    "GET" &[Literal("pages"), Parts(&[SegmentPart::Variable("a"), SegmentPart::Text("."), SegmentPart::Variable("b")])], None;
    "GET" &[Literal("pages"), Parts(&[SegmentPart::Variable("a"), SegmentPart::Text(".html")])], None;
    "GET" &[Literal("pages"), Parts(&[SegmentPart::Variable("a"), SegmentPart::Text(".html")])], Some("run");
};

/// Routes that are no candidates are not checked, however many operations there are.
#[test]
fn index_returns_few_candidates() {
    let few = Index::new(CONTRACTS.iter().map(|contract| contract.operation));
    for (path, most) in [
        (&["calendars", "a", "events", "import"][..], 3),
        (&["calendars", "a", "events"], 1),
        (&["scripts", "a:run"], 2),
        (&["scripts", "a%3Arun"], 2),
        (&["%63alendars", "a", "events"], 1),
        (&["processes:list"], 1),
        (&["processes%3alist"], 1),
        (&["nothing"], 0),
        (&["calendars", "a", "events", "b", "c"], 0),
        (&["files", "a"], 2),
        (&["%66iles", "a", "b"], 2),
        (&["files"], 0),
        (&["projects", "a"], 1),
        (&["projects", "a", "places", "b"], 2),
        (&["projects", "a", "places", "b", "things"], 1),
    ] {
        assert_eq!(few.candidates(path).len(), most, "{path:?}");
    }
}

/// Returns the operation and its variables.
fn find(method: &str, path: &str) -> (Option<usize>, Vec<String>) {
    let found = Routes::new(&API, CONTRACTS).find(&Method::from_bytes(method.as_bytes()).unwrap(), path);
    match found {
        RouteMatch::Operation { operation, captures } => {
            let facts = CONTRACTS[operation].operation;
            let texts =
                ["a", "b"].into_iter().filter_map(|name| captures.variable_text(facts, path, name)).map(str::to_owned);
            (Some(operation), texts.collect())
        }
        RouteMatch::Options { allow } | RouteMatch::MethodNotAllowed { allow } => {
            (None, vec![allow.to_str().unwrap().to_owned()])
        }
        RouteMatch::Unimplemented { name } => (None, vec![name.to_owned()]),
        RouteMatch::NotFound => (None, Vec::new()),
    }
}

#[test]
fn operations_that_are_left_out_are_found_by_their_name() {
    for (method, path, found) in [
        ("GET", "/s/v1/shelves", Some("shelves.list")),
        ("GET", "/public/v1/shelves", Some("shelves.list")),
        ("PATCH", "/s/v1/calendars/x/events/y", Some("events.change")),
        ("POST", "/s/v1/keys/k:disable", Some("keys.disable")),
        ("POST", "/s/v1/keys/:disable", None),
        ("POST", "/s/v1/shelves", None),
        ("GET", "/s/v1/shelves/", None),
        ("GET", "/elsewhere/shelves", None),
    ] {
        assert_eq!(find(method, path), (None, found.map(str::to_owned).into_iter().collect()), "{method} {path}");
    }
    assert_eq!(find("GET", "/s/v1/calendars/x/events/y").0, Some(0), "an operation that is here");
}

#[test]
fn literal_siblings_come_first_unless_the_method_is_another() {
    for (request, operation, variables) in [
        ("GET /s/v1/calendars/a/events/b", 0, &["a", "b"] as &[&str]),
        ("HEAD /s/v1/calendars/a/events/b", 0, &["a", "b"]),
        ("GET /s/v1/calendars/a/events/import", 0, &["a", "import"]),
        ("POST /s/v1/calendars/a/events/import", 1, &["a"]),
        ("POST /s/v1/calendars/a/events/imp%6Frt", 1, &["a"]),
        ("GET /s/v1/%63alendars/a%2Fb/events", 2, &["a%2Fb"]),
        ("DELETE /s/v1/calendars/a/events/import", 7, &["a", "import"]),
        ("GET /public/v1/calendars/a/events", 2, &["a"]),
        ("GET /s/calendars/a/events", 2, &["a"]),
        ("GET /s/v1", 9, &[]),
    ] {
        let (method, path) = request.split_once(' ').unwrap();
        assert_eq!(
            find(method, path),
            (Some(operation), variables.iter().map(|v| (*v).to_owned()).collect()),
            "{request}"
        );
    }
}

#[test]
fn more_literal_text_takes_precedence() {
    for (path, operation, variables) in [
        ("a", 15, &["a"] as &[&str]),
        ("a.", 15, &["a."]),
        ("a.b", 16, &["a", "b"]),
        ("a.b.c", 16, &["a.b", "c"]),
        ("a.html", 17, &["a"]),
        ("a.html.html", 17, &["a.html"]),
        (".html", 15, &[".html"]),
        ("a%2Ehtm%6c", 17, &["a"]),
        ("a%2Eb.c", 16, &["a%2Eb", "c"]),
        ("a.html:run", 18, &["a"]),
        ("a.html%3Arun", 16, &["a", "html%3Arun"]),
        ("a:run", 15, &["a:run"]),
    ] {
        let expected = (Some(operation), variables.iter().map(|v| (*v).to_owned()).collect());
        assert_eq!(find("GET", &format!("/s/v1/pages/{path}")), expected, "{path}");
    }
}

#[test]
fn verbs() {
    for (request, operation, variables) in [
        ("POST /s/v1/scripts/a:run", 3, &["a"] as &[&str]),
        ("POST /s/v1/scripts/a%3Arun", 3, &["a"]),
        ("POST /s/v1/scripts/a%3ar%75n", 3, &["a"]),
        ("POST /s/v1/scripts/a:b:run", 3, &["a:b"]),
        ("POST /s/v1/scripts/a%3Arun:run", 3, &["a%3Arun"]),
        ("GET /s/v1/scripts/a:run", 4, &["a:run"]),
        ("GET /s/v1/scripts/a%3Arun", 4, &["a%3Arun"]),
        ("GET /s/v1/processes:list", 8, &[]),
    ] {
        let (method, path) = request.split_once(' ').unwrap();
        assert_eq!(
            find(method, path),
            (Some(operation), variables.iter().map(|v| (*v).to_owned()).collect()),
            "{request}"
        );
    }
    assert_eq!(find("POST", "/s/v1/scripts/:run"), (None, vec!["GET, HEAD, OPTIONS".to_owned()]));
}

#[test]
fn variables_that_hold_slashes() {
    assert_eq!(find("GET", "/s/v1/files/a/b/c").1, ["a/b/c"]);
    assert_eq!(find("POST", "/s/v1/files/a/b/parts/c:cancel"), (Some(6), vec!["a/b".into(), "c".into()]));
    let long = format!("/s/v1/files/{}", ["x"; 40].join("/"));
    assert_eq!(find("GET", &long), (Some(5), vec![["x"; 40].join("/")]));
    assert_eq!(find("GET", "/s/v1/files/a//c").0, None);
    assert_eq!(find("GET", "/s/v1/files").0, None);
}

#[test]
fn names_of_several_segments() {
    for (request, operation, variables) in [
        ("GET /s/v1/projects/a", 10, &["projects/a"] as &[&str]),
        ("GET /s/v1/%70rojects/a%2Fb", 10, &["%70rojects/a%2Fb"]),
        ("GET /s/v1/projects/a/places/b", 11, &["projects/a/places/b"]),
        ("GET /s/v1/projects/a/places/b:cancel", 11, &["projects/a/places/b:cancel"]),
        ("POST /s/v1/projects/a/places/b:cancel", 12, &["projects/a/places/b"]),
        ("POST /s/v1/projects/a/places/b%3Acancel", 12, &["projects/a/places/b"]),
        ("GET /s/v1/projects/a/places/b/things", 13, &["projects/a", "b"]),
        ("GET /s/v1/shelves/a/books/c", 14, &["shelves/a", "books/c"]),
        ("GET /s/v1/shelves/a/b/books/x/books/c", 14, &["shelves/a/b/books/x", "books/c"]),
    ] {
        let (method, path) = request.split_once(' ').unwrap();
        assert_eq!(
            find(method, path),
            (Some(operation), variables.iter().map(|v| (*v).to_owned()).collect()),
            "{request}"
        );
    }
    for path in ["projects", "projects/a/places", "projects/a/rooms/b", "shelves/books/c", "shelves/a/books"] {
        assert_eq!(find("GET", &format!("/s/v1/{path}")), (None, Vec::new()), "{path}");
    }
}

#[test]
fn unknown_paths_are_not_found() {
    for path in [
        "/s/v1/",
        "/s/v1/calendars",
        "/s/v1/calendars/a/events/",
        "/s/v1/calendars//events",
        "/s/v1//calendars/a/events",
        "/s/v1/Calendars/a/events",
        "/s/v2/calendars/a/events",
        "/s/v1calendars/a/events",
        "*",
        "",
        "/",
        "/s/v1/calendars/a%2Fevents",
    ] {
        assert_eq!(find("GET", path), (None, Vec::new()), "{path}");
    }
}

#[test]
fn allow_lists_the_methods_of_a_path() {
    let allow = |list: &str| (None, vec![list.to_owned()]);
    assert_eq!(find("PUT", "/s/v1/calendars/a/events/b"), allow("DELETE, GET, HEAD, OPTIONS"));
    assert_eq!(find("PUT", "/s/v1/calendars/a/events/import"), allow("DELETE, GET, HEAD, OPTIONS, POST"));
    assert_eq!(find("OPTIONS", "/s/v1/scripts/a:run"), allow("GET, HEAD, OPTIONS, POST"));
    assert_eq!(find("get", "/s/v1/scripts/a"), allow("GET, HEAD, OPTIONS"));
}

/// Returns routes of many collections, each with read, list, create, update and delete.
fn many(collections: usize) -> Routes {
    let mut contracts = Vec::new();
    for collection in 0..collections {
        let name: &'static str = format!("things{collection}").leak();
        let whole: &'static [Segment] = vec![Literal("owners"), Variable("a"), Literal(name)].leak();
        let one: &'static [Segment] = vec![Literal("owners"), Variable("a"), Literal(name), Variable("b")].leak();
        for (method, path) in [("GET", one), ("GET", whole), ("POST", whole), ("PATCH", one), ("DELETE", one)] {
            let operation: &'static Operation =
                Box::leak(Box::new(Operation { method, path, verb: None, ..*CONTRACTS[0].operation }));
            let contract: &'static Contract = Box::leak(Box::new(Contract::new(operation)));
            contracts.push(contract);
        }
    }
    Routes::new(&API, contracts.leak())
}

/// `cargo test --release -p wireform-server --lib -- --ignored --nocapture measure_routing`
#[test]
#[ignore = "it measures and decides nothing"]
fn measure_routing() {
    const FINDS: u32 = 200_000;
    let (few, more) = (many(2), many(2000));
    let time = |routes: &Routes, path: &str| {
        let begun = std::time::Instant::now();
        for _ in 0..FINDS {
            assert!(matches!(std::hint::black_box(routes).find(&Method::PATCH, path), RouteMatch::Operation { .. }));
        }
        begun.elapsed().as_secs_f64() / f64::from(FINDS) * 1e9
    };
    let mut ratios: Vec<(f64, f64, f64)> = (0..15)
        .map(|_| {
            let times = (time(&few, "/s/v1/owners/me/things1/abc"), time(&more, "/s/v1/owners/me/things1999/abc"));
            (times.1 / times.0, times.0, times.1)
        })
        .collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, few, more) = ratios[7];
    println!(
        "10 operations {few:.0} ns, 10,000 operations {more:.0} ns: {ratio:.2} [{:.2}..{:.2}]",
        ratios[3].0, ratios[11].0
    );
}
