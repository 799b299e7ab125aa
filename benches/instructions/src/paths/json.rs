//! Decoding, which includes dropping the value, and encoding, compared with serde's derives.

use std::hint::black_box;

use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wireform_fixtures::{EVENT, hand, page};
use wireform_runtime::{FromWire, json};

use crate::meter::measure;

pub fn decode_event(repetitions: u32) -> Result<()> {
    decode::<calendar_types::Event>(repetitions, EVENT)
}

pub fn decode_event_by_hand(repetitions: u32) -> Result<()> {
    decode_by_hand::<hand::Event>(repetitions, EVENT)
}

pub fn decode_page(repetitions: u32) -> Result<()> {
    decode::<calendar_types::Events>(repetitions, &page(EVENT.trim_end()))
}

pub fn decode_page_by_hand(repetitions: u32) -> Result<()> {
    decode_by_hand::<hand::Events>(repetitions, &page(EVENT.trim_end()))
}

pub fn encode_event(repetitions: u32) -> Result<()> {
    encode(repetitions, &json::from_str::<calendar_types::Event>(EVENT)?)
}

pub fn encode_event_by_hand(repetitions: u32) -> Result<()> {
    encode_by_hand(repetitions, &serde_json::from_str::<hand::Event>(EVENT)?)
}

pub fn encode_page(repetitions: u32) -> Result<()> {
    encode(repetitions, &json::from_str::<calendar_types::Events>(&page(EVENT.trim_end()))?)
}

pub fn encode_page_by_hand(repetitions: u32) -> Result<()> {
    encode_by_hand(repetitions, &serde_json::from_str::<hand::Events>(&page(EVENT.trim_end()))?)
}

fn decode<T: for<'de> FromWire<'de>>(repetitions: u32, text: &str) -> Result<()> {
    measure(repetitions, || Ok(json::from_slice::<T>(black_box(text.as_bytes()))?))
}

fn decode_by_hand<T: DeserializeOwned>(repetitions: u32, text: &str) -> Result<()> {
    measure(repetitions, || Ok(serde_json::from_slice::<T>(black_box(text.as_bytes()))?))
}

fn encode(repetitions: u32, value: &impl Serialize) -> Result<()> {
    measure(repetitions, || Ok(json::to_vec(black_box(value))?))
}

fn encode_by_hand(repetitions: u32, value: &impl Serialize) -> Result<()> {
    measure(repetitions, || Ok(serde_json::to_vec(black_box(value))?))
}
