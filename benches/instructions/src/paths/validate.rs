//! Validation of a valid event by all rules of the schema, compared with a handwritten function that checks only the
//! limits.

use std::hint::black_box;

use anyhow::{Result, anyhow, ensure};
use calendar_types::Event;
use calendar_validation::Validate as _;
use wireform_fixtures::EVENT;
use wireform_runtime::json;

use crate::checks_by_hand::{Handwritten, check};
use crate::meter::measure;

pub fn ours(repetitions: u32) -> Result<()> {
    let event: Event = json::from_str(EVENT)?;
    measure(repetitions, || black_box(&event).validate().map_err(|violations| anyhow!("{violations:?}")))
}

pub fn by_hand(repetitions: u32) -> Result<()> {
    let event: Event = json::from_str(EVENT)?;
    measure(repetitions, || {
        let violations = check::<Handwritten>(black_box(&event));
        ensure!(violations.is_empty(), "{violations:?}");
        Ok(())
    })
}
