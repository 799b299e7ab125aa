//! Rows about labels.

use crate::row::{Row, request};

const CREATE: &str = "users.labels.create";
const UPDATE: &str = "users.labels.update";
const PATCH: &str = "users.labels.patch";

const COLORED: &str = r##"{"color":{"textColor":"#000000","backgroundColor":"#ffffff"}}"##;
const OF_THE_SYSTEM: &str = r#"{"type":"system"}"#;
const OF_A_USER: &str = r#"{"type":"user"}"#;

pub const ROWS: &[Row] = &[
    request(CREATE, "required", "name").breaks(r#"{"name":null}"#).passes(r#"{"name":"A"}"#),
    request(UPDATE, "required", "name").breaks(r#"{"name":null}"#).passes(r#"{"name":"A"}"#),
    request(CREATE, "length", "name")
        .breaks(r#"{"name":""}"#)
        .with(&[("name", "label.name_not_blank", wireform_validation::Severity::Error)])
        .passes(r#"{"name":"/"}"#),
    request(CREATE, "length", "name").breaks(r#"{"name":"*226 ä"}"#).passes(r#"{"name":"*225 ä"}"#),
    request(CREATE, "label.name_not_blank", "name").breaks(r#"{"name":"  "}"#).passes(r#"{"name":" A"}"#),
    // No-break and ideographic spaces count as blank.
    request(UPDATE, "label.name_not_blank", "name").breaks(r#"{"name":"\u00a0\u3000"}"#).passes(r#"{"name":"é"}"#),
    request(PATCH, "label.name_not_blank", "name")
        .stored("{}")
        .breaks(r#"{"name":"\u2003"}"#)
        .passes(r#"{"name":"B"}"#),
    request(CREATE, "pattern", "name").breaks(r#"{"name":"A\u0000"}"#).passes(r#"{"name":"A\u00a0B"}"#),
    request(UPDATE, "pattern", "name").breaks(r#"{"name":"A\tB"}"#).passes(r#"{"name":"A B"}"#),
    request(PATCH, "pattern", "name").stored("{}").breaks(r#"{"name":"A\u0085"}"#).passes(r#"{"name":"A\u2028"}"#),
    request(PATCH, "label.keeps_name", "name")
        .stored("{}")
        .breaks(r#"{"name":null}"#)
        .passes(r#"{"labelListVisibility":null}"#),
    request(CREATE, "known_value", "messageListVisibility")
        .breaks(r#"{"messageListVisibility":"shown"}"#)
        .passes(r#"{"messageListVisibility":"hide"}"#),
    request(CREATE, "known_value", "labelListVisibility")
        .breaks(r#"{"labelListVisibility":"hide"}"#)
        .passes(r#"{"labelListVisibility":"labelShowIfUnread"}"#),
    request(CREATE, "known_value", "color.textColor")
        .breaks(r##"{"color":{"textColor":"#FFFFFF","backgroundColor":"#000000"}}"##)
        .passes(r##"{"color":{"textColor":"#ffffff","backgroundColor":"#000000"}}"##),
    request(CREATE, "label_color.both_or_neither", "color.backgroundColor")
        .breaks(r##"{"color":{"textColor":"#16a766"}}"##)
        .passes(r##"{"color":{"textColor":"#16a766","backgroundColor":"#16a765"}}"##),
    request(UPDATE, "label_color.both_or_neither", "color.backgroundColor")
        .breaks(r##"{"color":{"backgroundColor":"#16a766"}}"##)
        .passes(r#"{"color":{}}"#),
    // A patch can set one color if the other is stored.
    request(PATCH, "label_color.both_or_neither", "color.backgroundColor")
        .stored("{}")
        .stored_otherwise(COLORED)
        .breaks(r##"{"color":{"textColor":"#cccccc"}}"##)
        .passes(r##"{"color":{"textColor":"#cccccc"}}"##),
    request(PATCH, "label_color.both_or_neither", "color.backgroundColor")
        .stored(COLORED)
        .breaks(r#"{"color":{"textColor":null}}"#)
        .passes(r#"{"color":null}"#),
    request(UPDATE, "labels_update.system", "?id")
        .stored(OF_THE_SYSTEM)
        .stored_otherwise(OF_A_USER)
        .breaks("{}")
        .passes("{}"),
    request(PATCH, "labels_patch.system", "?id").stored(OF_THE_SYSTEM).stored_otherwise("{}").breaks("{}").passes("{}"),
];
