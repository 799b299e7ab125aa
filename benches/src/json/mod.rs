//! Decoding and encoding a realistic calendar event and a page of them: the generated types compared with handwritten
//! ones and with `serde_json::Value`.

#[cfg(feature = "simd")]
mod simd;

use std::hint::black_box;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use wireform_runtime::{FromWire, json};

use crate::alloc::{Allocations, count};
use wireform_fixtures::{EVENT, PAGE, hand, page};
use wireform_rounds::{Rounds, Side};

/// Measures and prints.
pub fn run(pairs: usize) -> anyhow::Result<()> {
    let event = EVENT.trim_end();
    let page = page(event);
    println!("json: an event of {} bytes, a page of {PAGE} with {} bytes", event.len(), page.len());
    println!("decoding includes dropping the value; allocations are those of one event\n");
    compare::<calendar_types::Event, hand::Event>("event", event, 1, pairs)?;
    compare::<calendar_types::Events, hand::Events>("page", &page, PAGE, pairs)
}

fn compare<Ours, Hand>(name: &str, text: &str, events: usize, pairs: usize) -> anyhow::Result<()>
where
    Ours: for<'de> FromWire<'de> + serde::Serialize,
    Hand: serde::de::DeserializeOwned + serde::Serialize,
{
    let bytes = text.as_bytes();
    let ours: Ours = json::from_slice(bytes)?;
    let hand: Hand = serde_json::from_slice(bytes)?;
    let value: Value = serde_json::from_slice(bytes)?;
    ensure_same("ours", &json::to_vec(&ours)?, &value)?;
    ensure_same("by hand", &serde_json::to_vec(&hand)?, &value)?;
    let mut decode = vec![
        Side::batch("ours", || json::from_slice::<Ours>(black_box(bytes))),
        Side::batch("by hand, serde derive", || serde_json::from_slice::<Hand>(black_box(bytes))),
        Side::batch("serde_json::Value", || serde_json::from_slice::<Value>(black_box(bytes))),
    ];
    decode.extend(simd::sides::<Hand>(bytes));
    Rounds::measure(pairs, decode)?.print(&format!("decode {name}"));
    print_allocations(
        events,
        [
            count(|| json::from_slice::<Ours>(bytes).map(black_box).is_ok()).1,
            count(|| serde_json::from_slice::<Hand>(bytes).map(black_box).is_ok()).1,
            count(|| serde_json::from_slice::<Value>(bytes).map(black_box).is_ok()).1,
        ],
    );
    let encode = vec![
        Side::batch("ours", || json::to_vec(black_box(&ours))),
        Side::batch("by hand, serde derive", || serde_json::to_vec(black_box(&hand))),
        Side::batch("serde_json::Value", || serde_json::to_vec(black_box(&value))),
    ];
    Rounds::measure(pairs, encode)?.print(&format!("encode {name}"));
    print_allocations(
        events,
        [
            count(|| json::to_vec(&ours).map(black_box).is_ok()).1,
            count(|| serde_json::to_vec(&hand).map(black_box).is_ok()).1,
            count(|| serde_json::to_vec(&value).map(black_box).is_ok()).1,
        ],
    );
    Ok(())
}

/// Decoders with SIMD instructions, of which there are none without the feature `simd`.
#[cfg(not(feature = "simd"))]
mod simd {
    #[expect(clippy::extra_unused_type_parameters, reason = "the same call with and without the feature")]
    pub fn sides<Hand>(_bytes: &[u8]) -> [wireform_rounds::Side<'_>; 0] {
        []
    }
}

/// Checks that a side has encoded the same value, since otherwise the sides would not do the same work.
fn ensure_same(side: &str, encoded: &[u8], value: &Value) -> anyhow::Result<()> {
    let decoded: Value = serde_json::from_slice(encoded).context("not JSON")?;
    ensure!(decoded == *value, "{side}: the encoded value differs");
    Ok(())
}

fn print_allocations(events: usize, sides: [Allocations; 3]) {
    let each = |total: u64| total as f64 / events as f64;
    let texts = sides.map(|side| format!("{:.1} ({:.0} bytes)", each(side.calls), each(side.bytes)));
    println!("  allocations: ours {}, by hand {}, Value {}\n", texts[0], texts[1], texts[2]);
}
