//! Mail labels of a seed.

use anyhow::bail;
use mailbox_server::types::LabelPaletteColor;
use wireform_server::wireform_runtime::OpenEnum as _;
use wireform_store::LabelSettings;

use super::format;
use super::values::{error_at, optional, read};
use crate::settings::value;

/// Parses a label of a user. Errors have a location.
pub fn parse_label(label: &format::Label) -> anyhow::Result<LabelSettings> {
    let one_of = |words: &'static [&'static str]| {
        move |text: &str| match words.contains(&text) {
            true => Ok(text.to_owned()),
            false => Err(format!("must be one of {}", words.join(", "))),
        }
    };
    let palette_color = |text: &str| {
        let text = text.to_lowercase();
        match LabelPaletteColor::VALUES.contains(&text.as_str()) {
            true => Ok(text),
            false => {
                Err("is not a label color; help: use a quoted color of the API reference, such as `#16a765`".to_owned())
            }
        }
    };
    let color = match (&label.text_color, &label.background_color) {
        (Some(text), Some(background)) => Some((read(text, palette_color)?, read(background, palette_color)?)),
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => {
            bail!(error_at(one, "a label has both a text-color and a background-color, or none"))
        }
    };
    let lists = one_of(&["labelShow", "labelShowIfUnread", "labelHide"]);
    Ok(LabelSettings {
        name: read(&label.name, value::text)?,
        message_list_visibility: optional(label.message_list_visibility.as_ref(), one_of(&["show", "hide"]))?,
        label_list_visibility: optional(label.label_list_visibility.as_ref(), lists)?,
        color,
    })
}

/// Returns the normalized form of a label name, for comparisons.
pub fn lookup_key(name: &str) -> String {
    name.trim().to_lowercase()
}
