//! Methods of calls for the standard parameters of an API.

use wireform_codegen::{Options, Source, generate};

/// Returns the calls of a client whose API has these standard parameters: the type of each, and its setters.
fn calls(standard: &[&str]) -> Vec<String> {
    let parameters: Vec<_> = standard.iter().map(|keys| format!("{keys}, doc: One. }}")).collect();
    let schema = format!(
        "api: calls\nroot: https://example.com\nstandard_parameters: [standard]\n\
         parameter_sets: {{ standard: {{ {} }} }}\n\
         resources: {{ Note: {{ doc: A note., fields: {{ text: {{ type: string, doc: What it says. }} }} }} }}\n\
         operations:\n\
         \x20 get: {{ doc: Reads., http: GET /note, response: Note }}\n\
         \x20 delete: {{ doc: Removes., http: DELETE /note }}\n",
        parameters.join(", ")
    );
    let output = generate(&[Source::new("api.yaml", schema)], &Options::default());
    let files = output.files.expect("the schema has no errors");
    let client = files.iter().filter(|(path, _)| path.starts_with("calls-client/src/")).map(|(_, file)| file.as_str());
    let starts = ["pub type", "::wireform_client::call!"];
    let is_call = |line: &&str| line.contains("Call") && starts.iter().any(|start| line.starts_with(start));
    client.flat_map(str::lines).map(str::trim).filter(is_call).map(str::to_owned).collect()
}

const FIELDS: &str = "only: { type: string, role: fields";
const QUOTA_USER: &str = "tenant: { type: string, role: quota_user";
const PRETTY_PRINT: &str = "indent: { type: bool, role: pretty_print";

#[test]
fn a_call_selects_members_only_where_the_api_has_a_parameter_for_it() {
    let plain = "pub type DeleteCall = ::wireform_client::StandardCall<requests::Delete>;".to_owned();
    assert_eq!(
        calls(&[FIELDS, QUOTA_USER, PRETTY_PRINT]),
        ["pub type GetCall = ::wireform_client::StandardCall<requests::Get>;".to_owned(), plain.clone()]
    );
    assert_eq!(
        calls(&[QUOTA_USER, PRETTY_PRINT]),
        ["::wireform_client::call!(GetCall, requests::Get, quota_user, pretty_print);".to_owned(), plain]
    );
}

#[test]
fn a_name_is_no_role() {
    let names = ["fields: { type: string", "quotaUser: { type: string", "prettyPrint: { type: bool"];
    assert_eq!(
        calls(&names),
        [
            "pub type GetCall = ::wireform_client::PlainCall<requests::Get>;",
            "pub type DeleteCall = ::wireform_client::PlainCall<requests::Delete>;"
        ]
    );
}
