//! The region of the program whose instructions count.

use anyhow::Result;

/// Repetitions before instructions count, so that what is made once, such as tables and buffers, is there.
const WARM_UP: u32 = 3;

/// Name of the function whose instructions count, with those of all that it calls.
pub const REGION: &str = "collected_region";

/// Repeats the work, after a warm-up that does not count.
pub fn measure<T>(repetitions: u32, mut work: impl FnMut() -> Result<T>) -> Result<()> {
    let mut once = || work().map(|value| drop(std::hint::black_box(value)));
    for _ in 0..WARM_UP {
        once()?;
    }
    collected_region(repetitions, &mut once)
}

/// Callgrind finds the function by its name, so that it stays one.
#[inline(never)]
fn collected_region(repetitions: u32, work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    for _ in 0..repetitions {
        work()?;
    }
    Ok(())
}
