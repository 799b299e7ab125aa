//! Behaviour of fields: who writes them, when they are required, and where they have an effect.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Behavior, Fill, Ignored, OperationId, OutputOnly, Required, Type};
use crate::schema::behavior::{self, BehaviorWord};
use crate::schema::{self, field};

impl Tables<'_> {
    /// Resolves `fill`: allowed only for texts that a client may write.
    pub fn fill(&self, def: &schema::Field, ty: &Type, sink: &mut Sink) -> Option<Fill> {
        let fill = def.fill?;
        let received = def.behavior.iter().any(|item| item.word == BehaviorWord::OutputOnly);
        let nullable = def.nullable.is_some_and(|nullable| nullable.value);
        if *ty != Type::String || received || nullable {
            let message = "`fill` generates a missing value, and applies only to strings that clients may send";
            sink.report(Code::Misplaced, fill.span, message)
                .help("remove `fill`, or use a field of type `string` without `output_only` and `nullable`");
            return None;
        }
        Some(match fill.value {
            field::Fill::Uuid => Fill::Uuid,
        })
    }

    /// Resolves where the server ignores the field. Dependencies on other fields are resolved when all are known.
    pub fn ignored(&self, def: &schema::Field, sink: &mut Sink) -> Ignored {
        let Some(written) = &def.ignored else { return Ignored::default() };
        if written.operations.is_empty() && written.unless.0.is_empty() {
            sink.report(Code::BadBehavior, written.span, "`ignored` requires `in` or `unless`")
                .help("add operations under `in`, or another field with its value under `unless`");
        }
        Ignored { operations: self.operations(&written.operations, sink), unless: None }
    }

    /// Resolves the operations in which the constraints of the field apply.
    pub fn constrained(&self, def: &schema::Field, ty: &Type, sink: &mut Sink) -> Option<Vec<OperationId>> {
        let written = def.constrained.as_ref()?;
        let has_constraints = def.pattern.is_some()
            || def.length.is_some()
            || def.format.is_some()
            || def.min.is_some()
            || def.max.is_some()
            || def.multiple_of.is_some();
        let is_one = !matches!(ty, Type::Resource(_) | Type::Union(_) | Type::Enum(_)) && !ty.is_collection();
        if !has_constraints || !is_one || written.operations.is_empty() {
            sink.report(Code::Misplaced, written.span, "`constrained` requires a constraint").help(
                "combine it with `pattern`, `length`, `format`, `min`, `max` or `multiple_of` of a string or number",
            );
            return None;
        }
        Some(self.operations(&written.operations, sink))
    }

    /// Resolves who writes the field, and when it is required.
    pub fn behavior(&self, def: &schema::Field, sink: &mut Sink) -> Behavior {
        let mut behavior = Behavior::default();
        for item in &def.behavior {
            let except = self.operations(&item.except, sink);
            if item.word != BehaviorWord::OutputOnly && (item.refuse || !except.is_empty()) {
                sink.report(Code::BadBehavior, item.span, "`except` applies only to `output_only`");
            }
            if item.word != BehaviorWord::Immutable && item.ignore {
                sink.report(Code::BadBehavior, item.span, "`ignore` applies only to `immutable`")
                    .help("`output_only` fields are dropped unless `refuse` is set");
            }
            match item.word {
                BehaviorWord::Required => behavior.required = Required::Everywhere,
                BehaviorWord::OutputOnly => behavior.output_only = Some(OutputOnly { except, reject: item.refuse }),
                BehaviorWord::InputOnly => behavior.input_only = true,
                BehaviorWord::Immutable => (behavior.immutable, behavior.ignores_changes) = (true, item.ignore),
                BehaviorWord::Identifier => behavior.identifier = true,
            }
        }
        match &def.required {
            Some(behavior::Required::Everywhere(true)) => behavior.required = Required::Everywhere,
            Some(behavior::Required::In(written)) => {
                behavior.required = Required::In(self.operations(&written.operations, sink));
                behavior.clearable = written.clearable.is_some_and(|flag| flag.value);
            }
            Some(behavior::Required::Everywhere(false)) | None => {}
        }
        let written = def.behavior.iter().find(|item| item.word == BehaviorWord::OutputOnly && item.except.is_empty());
        let required = match &behavior.required {
            Required::Never => false,
            Required::Everywhere => true,
            Required::In(operations) => !operations.is_empty(),
        };
        let sent = behavior.input_only || required;
        if let (Some(written), true) = (written, sent) {
            sink.report(Code::BadBehavior, written.span, "an `output_only` field cannot be required")
                .help("remove `output_only`, or add the operations in which a client writes it to `except`");
        }
        behavior
    }
}

/// Resolves `sensitive`: a resource masks its own fields, and a constant is not confidential.
pub fn sensitive(def: &schema::Field, ty: &Type, sink: &mut Sink) -> bool {
    let Some(sensitive) = def.sensitive.filter(|sensitive| sensitive.value) else { return false };
    if matches!(ty.innermost_type(), Type::Resource(_)) {
        sink.report(Code::Misplaced, sensitive.span, "`sensitive` does not apply to resources")
            .help("remove `sensitive` here, and add it to the confidential fields of the resource");
        return false;
    }
    if def.constant.is_some() {
        sink.report(
            Code::BadBehavior,
            sensitive.span,
            "a field with `const` cannot be `sensitive`: the schema shows its value",
        )
        .help("remove `sensitive` or `const`");
        return false;
    }
    true
}
