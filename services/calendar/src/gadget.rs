//! Gadgets, the older representation of birthdays.
#![expect(deprecated, reason = "clients still read them")]

use calendar_server::types::{Event, Gadget, GadgetDisplay};

/// Returns the gadget of a birthday event.
pub(crate) fn birthday_gadget(event: &Event) -> Option<Gadget> {
    let properties = event.birthday_properties.as_ref()?;
    let kind = properties.r#type.as_ref().map(ToString::to_string);
    let named = [("type", &kind), ("contact", &properties.contact), ("customTypeName", &properties.custom_type_name)];
    let preferences = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
    let display = Some(GadgetDisplay::Chip);
    Some(Gadget { title: event.summary.clone(), display, preferences: preferences.collect(), ..Gadget::default() })
}
