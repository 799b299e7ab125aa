//! Constraints on the keys of maps: patterns of members, and schemas of their names.

use wireform_codegen::schema::field::KeysDef;

use super::super::{constraints, enums, form::Form};
use crate::lowering::{Key, text};
use crate::openapi::importer::Importer;
use crate::openapi::view::View;
use crate::value_kind::ValueKind;

/// Returns the constraints on the keys of a map.
pub fn of_map<'d>(importer: &mut Importer<'d>, view: &View<'d>) -> Option<KeysDef> {
    let mut found = KeysDef::default();
    for (node, written) in &view.key_patterns {
        match constraints::whole_pattern(written).and_then(|whole| node.compile(&whole).map(|_| whole)) {
            Ok(whole) if found.pattern.is_none() => found.pattern = text(Some(whole)),
            Ok(_) => node.loss("the pattern of the keys is left out: keys have one pattern only"),
            Err(why) => node.loss(format!("the pattern of the keys is left out: {why}")),
        }
    }
    if let Some(first) = view.key_schemas.first() {
        let names = importer.expanded(&view.key_schemas);
        let mut form = Form::plain("string", ValueKind::Text);
        constraints::texts(&names, &mut form);
        if let Some(listed) = enums::listed_values(&names) {
            let patterns = listed.iter().map(|one| enums::escaped(&one.wire));
            form.keys.pattern = text(Some(patterns.collect::<Vec<_>>().join("|")));
        }
        if names.text("format").is_some() || !names.alternatives.is_empty() {
            first.loss("the format or the alternatives of the keys are left out: keys have a pattern and a length");
        }
        if form.keys.has(Key::Pattern) && found.pattern.is_some() {
            first.loss("the pattern of the keys is left out: keys have one pattern only");
        }
        found.pattern = found.pattern.or(form.keys.pattern);
        found.length = form.keys.length;
        found.pattern =
            first.text("x-wireform-pattern").filter(|_| importer.is_generated).map(Into::into).or(found.pattern);
    }
    (found != KeysDef::default()).then_some(found)
}

/// Reports constraints on keys where there is no map.
pub fn report(view: &View<'_>) {
    let what = "the constraints of keys are left out: supported for maps only";
    view.key_patterns.iter().for_each(|(node, _)| node.loss(what));
    view.key_schemas.iter().for_each(|node| node.whole_loss(what));
}
