//! Descriptions of public documents: normalization is idempotent, and rustdoc renders the result faithfully.

use std::path::PathBuf;

use serde_json::Value;
use wireform_codegen::markdown;
use wireform_test_data::requires;

use crate::inputs::{corpus, entries};

fn descriptions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get("description") {
                found.push(text.clone());
            }
            members.values().for_each(|value| descriptions(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| descriptions(value, found)),
        _ => {}
    }
}

/// Returns the documents of the corpus, and those in the folder `DOCUMENTS`.
fn documents() -> Vec<PathBuf> {
    let folders = [corpus("openapi"), corpus("discovery/docs")].into_iter();
    let folders = folders.chain(std::env::var_os("DOCUMENTS").map(PathBuf::from));
    let files = folders.flat_map(entries);
    files.filter(|path| path.extension().is_some_and(|ending| ending == "json" || ending == "yaml")).collect()
}

#[requires("corpora/openapi", "corpora/discovery")]
#[test]
fn descriptions_are_normalized() {
    let mut differs = Vec::new();
    for path in documents() {
        let text = fs_err::read_to_string(&path).expect("a document");
        let Ok(document) = serde_yaml::from_str::<Value>(&text) else { continue };
        let mut all = Vec::new();
        descriptions(&document, &mut all);
        for description in all {
            let form = markdown::import(&description, Some("https://docs.example/"));
            let again = markdown::normalize(&form);
            if form != again {
                differs.push(format!(
                    "{}\n--- written\n{description}\n--- form\n{form}\n--- again\n{again}\n",
                    path.display()
                ));
            }
            // The language of a code block is not one that rustdoc runs.
            let opens = form.lines().filter(|line| line.trim_start_matches(['>', ' ', '*', '-']).starts_with("```"));
            assert!(opens.step_by(2).all(|line| !line.trim_end().ends_with("```")), "{form}");
        }
    }
    assert!(differs.is_empty(), "{} differ\n{}", differs.len(), differs.iter().take(12).cloned().collect::<String>());
}
