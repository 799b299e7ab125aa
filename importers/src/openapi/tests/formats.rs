//! Formats that have no place in a schema.

use serde_json::{Map, json};

use super::schemas;
use crate::Loss;

#[test]
fn a_format_is_reported_once_however_often_it_stands_somewhere() {
    let members: Map<_, _> = (0..9)
        .flat_map(|at| ["slug", "time", "ipv4"].map(|format| (format!("{format}{at}"), format)))
        .map(|(name, format)| (name, json!({ "type": "string", "format": format })))
        .collect();
    let import = schemas(json!({ "Note": { "type": "object", "properties": members } }));
    let whats = |all: &[Loss]| all.iter().map(|one| one.what.clone()).collect::<Vec<_>>();
    let more = "; so it is in 8 more places";
    assert_eq!(
        whats(&import.losses),
        [
            format!("becomes `format: ip`: an address of either version is taken{more}"),
            format!("the format `time` is left out: it has no place in a schema{more}"),
        ]
    );
    assert_eq!(whats(&import.notes), [format!("the format `slug` is left out: it is not known{more}")]);
}
