//! Conversion of fields with brackets.

use super::*;
use wireform_runtime::__private::unions;

static OWNER: Form = Form::new(&[
    FormField::text("name"),
    FormField::number("age"),
    FormField::json("friends").list().with_structure(&[FieldStructure::Members(&OWNER)]),
]);
static PLACE: Form = Form::new(&[FormField::number("x"), FormField::number("y")]);
static COUNTS: Form = Form::new(&[]).with_other_fields(&FormField::number(""));
static FORM: Form = Form::new(&[
    FormField::text("title").aliases(&["subject"]),
    FormField::json("owner").with_structure(&[FieldStructure::Members(&OWNER)]),
    FormField::number("sizes").list(),
    FormField::json("rows").list().with_structure(&[FieldStructure::Elements(&FormField::number(""))]),
    FormField::json("counts").with_structure(&[FieldStructure::Members(&COUNTS)]),
    FormField::json("either")
        .kinds(unions::OBJECT | unions::INTEGER)
        .with_structure(&[FieldStructure::Members(&OWNER), FieldStructure::Members(&PLACE)]),
    FormField::text("any"),
])
.brackets();

fn read(text: &str) -> Result<String, &'static str> {
    let mut tree = Ok(Tree::default());
    for (name, value) in text.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, ""))) {
        add(&mut tree, name, Leaf::Text(value.to_owned()));
    }
    tree?.object(&FORM)
}

#[test]
fn fields_are_converted_by_the_schema() {
    for (fields, json) in [
        ("subject=5&owner[age]=5&owner[name]=5", r#"{"subject":"5","owner":{"age":5,"name":"5"}}"#),
        ("owner[friends][1][name]=b&owner[friends][0][age]=1", r#"{"owner":{"friends":[{"age":1},{"name":"b"}]}}"#),
        ("owner[friends][0][friends][0][age]=3", r#"{"owner":{"friends":[{"friends":[{"age":3}]}]}}"#),
        ("sizes[]=2&sizes[]=1", r#"{"sizes":[2,1]}"#),
        ("sizes[7]=2&sizes[3]=1", r#"{"sizes":[1,2]}"#),
        ("sizes=2&sizes=1", r#"{"sizes":[2,1]}"#),
        ("rows[0][0]=1&rows[0][1]=2&rows[1][]=3", r#"{"rows":[[1,2],[3]]}"#),
        ("counts[0]=1&counts[b]=x", r#"{"counts":{"0":1,"b":"x"}}"#),
        ("either=5", r#"{"either":5}"#),
        ("either[y]=5", r#"{"either":{"y":5}}"#),
        ("either[age]=5&either[z]=5", r#"{"either":{"age":5,"z":"5"}}"#),
        ("any[a][]=5&any[b][c]=d", r#"{"any":{"a":["5"],"b":{"c":"d"}}}"#),
        ("other[x]=1", r#"{"other":{"x":"1"}}"#),
        ("title=1&title=2", r#"{"title":"1","title":"2"}"#),
        ("owner[age]=1&owner[age]=2", r#"{"owner":{"age":1,"age":2}}"#),
        ("a[=1&b]=2&[c]=3&=4", r#"{"a[":"1","b]":"2","[c]":"3","":"4"}"#),
        (
            "owner[friends][][name]=a&owner[friends][][age]=1&owner[friends][][name]=b",
            r#"{"owner":{"friends":[{"name":"a","age":1},{"name":"b"}]}}"#,
        ),
    ] {
        assert_eq!(read(fields).as_deref(), Ok(json), "{fields}");
    }
}

#[test]
fn contradictory_fields_are_rejected() {
    let deep = format!("any{}=1", "[a]".repeat(MAX_BRACKET_DEPTH + 1));
    let no_place = "expected an index as the key of a list element";
    for (fields, message) in [
        ("owner=1&owner[name]=2", MIXED),
        ("sizes=1&sizes[]=2", MIXED),
        ("sizes[a]=1", no_place),
        ("sizes[1234567890]=1", no_place),
        ("sizes[-1]=1", no_place),
        ("sizes[0]=1&sizes[0]=2", "must not be repeated"),
        ("owner[a[b]]=1", BROKEN),
        ("owner[a]b[c]=1", BROKEN),
        ("owner[a]]=1", BROKEN),
        (deep.as_str(), "the name of a field has too many brackets"),
    ] {
        assert_eq!(read(fields), Err(message), "{fields}");
    }
    assert!(read(&format!("any{}=1", "[a]".repeat(MAX_BRACKET_DEPTH))).is_ok());
    let many: Vec<String> = (0..2_000).map(|at| format!("any[{at}]{}=1", "[]".repeat(MAX_BRACKET_DEPTH - 1))).collect();
    assert_eq!(read(&many.join("&")), Err(TOO_MANY));
    assert!(read(&many[..1_000].join("&")).is_ok());
}

#[test]
fn any_names_result_in_valid_json() {
    let parts = ["a", "[", "]", "[]", "owner", "[0]", "[friends]", "=", "&", "sizes", "é"];
    let mut state = 7_u64;
    for _ in 0..20_000 {
        let text: String = (0..8)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                parts[usize::try_from(state >> 33).unwrap_or_default() % parts.len()]
            })
            .collect();
        if let Ok(json) = read(&text) {
            assert!(serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok(), "{text}: {json}");
        }
    }
}
