//! Watch channels: resolution of the fields, headers and operations that they name.

use super::lookup::{field_index, fields_of};
use super::tables::Tables;
use super::types::fits;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Body, EnumId, Field, Resource, Type, TypeId, Watch};
use crate::schema::Text;
use crate::schema::listing;

impl Tables<'_> {
    /// Resolves the watch channel of an operation, whose fields are those of the body.
    pub fn watch(
        &mut self,
        watch: &listing::Watch,
        body: Option<&Body>,
        resources: &[Resource],
        sink: &mut Sink,
    ) -> Option<Watch> {
        let of = self.operations(&watch.of, sink);
        let states = watch.states.as_ref().and_then(|states| self.states_of_watch(states, sink));
        let stop = watch.stop.as_ref().and_then(|stop| self.operation(stop, sink));
        if body.is_some_and(|body| body.ty == Type::Unresolved) {
            return None;
        }
        let Some(fields) = body.and_then(|body| fields_of(&body.ty, resources)) else {
            sink.report(Code::BadPaging, watch.span, "`watch` requires a body");
            return None;
        };
        let mut optional = |name: &Option<Text>| match name {
            Some(name) => field_index(name, fields, sink).map(Some),
            None => Some(None),
        };
        let (id, token, expiration) = (optional(&watch.id), optional(&watch.token), optional(&watch.expiration));
        let (resource_id, resource_uri) = (optional(&watch.resource_id), optional(&watch.resource_uri));
        let headers = watch.headers.0.iter().map(|(header, holds)| (header.text.clone(), holds.text.clone())).collect();
        let address = field_index(&watch.address, fields, sink)?;
        let named = |name: &Option<Text>| name.as_ref().map(|name| name.text.clone());
        let found = Watch {
            operations: of,
            address,
            id: id?,
            token: token?,
            expiration: expiration?,
            resource_id: resource_id?,
            resource_uri: resource_uri?,
            state: named(&watch.state),
            states,
            number: named(&watch.number),
            stop,
            headers,
        };
        check_fields(&found, fields, watch.span, sink);
        Some(found)
    }

    /// Returns the enum of a notification's states, and marks it as used.
    fn states_of_watch(&mut self, name: &Text, sink: &mut Sink) -> Option<Type> {
        let Some(found) = self.enums.iter().position(|definition| definition.key.text == name.text) else {
            self.has_all_types = false;
            let names = self.enums.iter().map(|definition| definition.key.text.as_str());
            sink.report(Code::UnknownType, name.span, format!("unknown enum `{}`", name.text.escape_debug()))
                .suggest(&name.text, names);
            return None;
        };
        self.used.insert(TypeId::Enum(EnumId(found)));
        Some(Type::Enum(EnumId(found)))
    }
}

/// Reports fields that a header cannot hold.
fn check_fields(watch: &Watch, fields: &[Field], span: Span, sink: &mut Sink) {
    let texts = [Some(watch.address), watch.id, watch.token, watch.resource_id, watch.resource_uri];
    let holds = |index: &usize, is: fn(&Type) -> bool| {
        fields.get(*index).is_some_and(|field| fits(&field.ty, is) && !field.nullable)
    };
    let is_text = |index: &usize| holds(index, |ty| *ty == Type::String);
    let is_time = |index: &usize| holds(index, |ty| matches!(ty, Type::Int64(_)));
    if !texts.iter().flatten().all(is_text) || !watch.expiration.iter().all(is_time) {
        sink.report(Code::BadPaging, span, "unsupported type of a field of a watch channel")
            .help("use fields of type `string`, and for `expiration` a field of type `int64`");
    }
}
