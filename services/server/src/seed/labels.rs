//! Mail labels of a seed.

use mailbox_server::types::LabelPaletteColor;
use wireform_server::wireform_runtime::OpenEnum as _;
use wireform_store::LabelSettings;

use super::format;
use super::values::Errors;
use crate::settings::value;

/// Parses a label of a user; returns `None` after adding its errors.
pub fn parse_label(label: &format::Label, errors: &mut Errors) -> Option<LabelSettings> {
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
    if let (Some(one), None) | (None, Some(one)) = (&label.text_color, &label.background_color) {
        errors.invalid(one, "a label has both a text-color and a background-color, or none");
    }
    let text = errors.optional(label.text_color.as_ref(), palette_color);
    let background = errors.optional(label.background_color.as_ref(), palette_color);
    let name = errors.read(&label.name, value::text);
    let in_list = errors.optional(label.message_list_visibility.as_ref(), one_of(&["show", "hide"]));
    let lists = one_of(&["labelShow", "labelShowIfUnread", "labelHide"]);
    let in_lists = errors.optional(label.label_list_visibility.as_ref(), lists);
    Some(LabelSettings {
        name: name?,
        message_list_visibility: in_list?,
        label_list_visibility: in_lists?,
        color: text?.zip(background?),
    })
}

/// Returns the normalized form of a label name, for comparisons.
pub fn lookup_key(name: &str) -> String {
    name.trim().to_lowercase()
}
