//! Rules of the sample API.

use std::any::Any;

use wireform_server::wireform_runtime::Request as _;
use wireform_server::wireform_runtime::operation::Operation;
use wireform_server::wireform_validation::{
    __private::{Checker, Location, Rule, SourceLines, cel},
    CheckRequests, Validates, ValidationContext, Violations, Warnings, facts,
};

use super::facts::*;
use super::types::*;

pub struct Rules;

/// No rule of this API depends on the stored value.
impl CheckRequests for Rules {
    fn check_request(
        &self,
        _operation: &'static Operation,
        _request: &dyn Any,
        _stored: Option<&dyn Any>,
    ) -> Option<Result<Warnings, Violations>> {
        None
    }
}

static SOURCES: SourceLines = SourceLines { tables: &[&[("Thing", "name\tthing.yaml:7")]] };

static TIME_RANGE: Rule = Rule::new("list.time_range", "the range of time is empty");
static ONE_FILTER: Rule = Rule::new("list.one_filter", "give `q` or `ids`, not both");
static HEAVY: Rule = Rule::new("thing.heavy", "a large thing is not light").at(&["weight"]).reads(&["kind", "weight"]);

macro_rules! context {
    ($ty:ty, $index:literal) => {
        const CONTEXT: ValidationContext<'static> = ValidationContext::request(<$ty>::OPERATION, $index);
    };
}

impl Validates<ThingsList> for Rules {
    context!(ThingsList, 0);

    fn check(&self, this: &ThingsList, _at: Location<'_>, checker: &mut Checker<'_>) {
        if let Some(value) = &this.max_results {
            checker.range(Location::parameter("maxResult"), *value, Some(1), None);
        }
        for (index, value) in this.kinds.iter().enumerate() {
            checker.enum_known(Location::parameter("kinds").index(index), value);
        }
        if let Some(value) = &this.trace {
            checker.length(Location::header("x-trace"), value, 2, 40);
        }
        checker.rule(Location::parameter("until"), &TIME_RANGE, time_range(this));
        checker.rule(Location::parameter("q"), &ONE_FILTER, Ok(this.q.is_none() || this.ids.is_empty()));
    }
}

fn time_range(this: &ThingsList) -> cel::EvalResult {
    let (Some(since), Some(until)) = (this.since, this.until) else { return Ok(true) };
    Ok(cel::compare_times(since, until)?.is_lt())
}

impl Validates<ThingsInsert> for Rules {
    context!(ThingsInsert, 2);
    facts!(SOURCES, Thing);

    fn check(&self, this: &ThingsInsert, at: Location<'_>, checker: &mut Checker<'_>) {
        checker.length(Location::parameter("owner"), &this.owner, 1, 10);
        checker.range(Location::parameter("copies"), this.copies, Some(1), Some(3));
        checker.required(at.field("name"), this.body.name.is_some());
        self.check(&this.body, at, checker);
    }
}

impl Validates<Thing> for Rules {
    fn check(&self, this: &Thing, at: Location<'_>, checker: &mut Checker<'_>) {
        if let Some(name) = &this.name {
            checker.length(at.field("name"), name, 1, 20);
        }
        if let Some(kind) = &this.kind {
            checker.enum_known(at.field("kind"), kind);
        }
        checker.rule(at, &HEAVY, Ok(this.kind != Some(Kind::Large) || this.weight.is_none_or(|weight| weight > 10)));
        let tags = at.field("tags");
        for (index, tag) in this.tags.iter().enumerate() {
            checker.length(tags.index(index), tag, 1, 5);
        }
    }
}

macro_rules! with_body {
    ($($ty:ty, $index:literal;)*) => {$(
        impl Validates<$ty> for Rules {
            context!($ty, $index);
            facts!(SOURCES, Thing);

            fn check(&self, this: &$ty, at: Location<'_>, checker: &mut Checker<'_>) {
                self.check(&this.body, at, checker);
            }
        }
    )*};
}

with_body! {
    ThingsImport, 3;
    ThingsUpdate, 4;
}

macro_rules! free {
    ($($ty:ty, $index:literal;)*) => {$(
        impl Validates<$ty> for Rules {
            context!($ty, $index);

            fn check(&self, _: &$ty, _: Location<'_>, _: &mut Checker<'_>) {}
        }
    )*};
}

free! {
    ThingsGet, 1;
    ThingsPatch_, 5;
    ThingsRun, 6;
    ThingsDelete, 7;
    FilesGet, 8;
    MediaAdd, 10;
    MediaPut, 11;
    PlacesGet, 9;
}
