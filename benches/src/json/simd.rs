//! Decoders with SIMD instructions, for the handwritten types.

use std::hint::black_box;

use serde::de::DeserializeOwned;
use simd_json::Buffers;
use wireform_rounds::Side;

/// Returns the sides that decode the text. simd-json writes into its input, so each of its rounds includes a copy of the
/// text into a buffer that is kept.
pub fn sides<Hand: DeserializeOwned>(bytes: &[u8]) -> [Side<'_>; 2] {
    let (mut input, mut buffers) = (Vec::with_capacity(bytes.len()), Buffers::new(bytes.len()));
    let simd_json = move || {
        input.clear();
        input.extend_from_slice(black_box(bytes));
        simd_json::serde::from_slice_with_buffers::<Hand>(&mut input, &mut buffers)
    };
    [
        Side::batch("by hand, simd-json", simd_json),
        Side::batch("by hand, sonic-rs", || sonic_rs::from_slice::<Hand>(black_box(bytes))),
    ]
}
