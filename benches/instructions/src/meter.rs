//! Region of the program whose instructions are counted.

use anyhow::Result;

/// Number of repetitions before counting starts, so that tables and buffers are initialized.
const WARM_UP: u32 = 3;

/// Name of the function whose instructions are counted, including those of its callees.
pub const REGION: &str = "collected_region";

/// Repeats the work, after an uncounted warm-up.
pub fn measure<T>(repetitions: u32, mut work: impl FnMut() -> Result<T>) -> Result<()> {
    let mut once = || work().map(|value| drop(std::hint::black_box(value)));
    for _ in 0..WARM_UP {
        once()?;
    }
    collected_region(repetitions, &mut once)
}

/// Repeats the work. Callgrind finds the function by its name, so it must not be inlined.
#[inline(never)]
fn collected_region(repetitions: u32, work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    for _ in 0..repetitions {
        work()?;
    }
    Ok(())
}
