//! Interleaved measurements of several sides, and their comparison.
//!
//! The speed of a shared machine varies, so absolute times mean little. Each round measures every side once, one after
//! the other, and the result is the ratio within the rounds: its median, and a confidence interval of the median.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Repeatable measurement that returns the figure of one run, mostly seconds.
pub struct Side<'a> {
    name: &'a str,
    run: Box<dyn FnMut() -> anyhow::Result<f64> + 'a>,
}

impl<'a> Side<'a> {
    /// Creates a side that returns its own figure, so that it can prepare and clean up untimed.
    pub fn new(name: &'a str, run: impl FnMut() -> anyhow::Result<f64> + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }

    /// Creates a side whose runs are too short to be timed individually: a run is a batch of at least 20 ms, and its
    /// figure is the time of one repetition.
    pub fn batch<T>(name: &'a str, mut work: impl FnMut() -> T + 'a) -> Self {
        let repetitions = calibrate(&mut work);
        Self::new(name, move || Ok(batch(repetitions, &mut work)))
    }
}

fn batch<T>(repetitions: u32, work: &mut impl FnMut() -> T) -> f64 {
    // One untimed run first: the previous side has left the caches and the heap in its own state.
    black_box(work());
    let start = Instant::now();
    for _ in 0..repetitions {
        black_box(work());
    }
    start.elapsed().as_secs_f64() / f64::from(repetitions)
}

fn calibrate<T>(work: &mut impl FnMut() -> T) -> u32 {
    const ENOUGH: Duration = Duration::from_millis(20);
    let mut repetitions = 1;
    while batch(repetitions, work) * f64::from(repetitions) < ENOUGH.as_secs_f64() {
        repetitions *= 2;
    }
    repetitions
}

/// Figures of every side, by round.
pub struct Rounds {
    names: Vec<String>,
    figures: Vec<Vec<f64>>,
}

impl Rounds {
    /// Measures every side once per round, interleaved.
    pub fn measure(count: usize, mut sides: Vec<Side<'_>>) -> anyhow::Result<Self> {
        let mut figures = vec![Vec::with_capacity(count); sides.len()];
        for _ in 0..count {
            for (side, figures) in sides.iter_mut().zip(&mut figures) {
                figures.push((side.run)()?);
            }
        }
        let names = sides.iter().map(|side| side.name.to_owned()).collect();
        Ok(Self { names, figures })
    }

    /// Returns the figures of one side.
    pub fn side(&self, side: usize) -> Spread {
        Spread::of(self.figures.get(side).map_or(&[], Vec::as_slice))
    }

    /// Returns the figure of one side as a multiple of another's in the same round.
    pub fn ratio(&self, side: usize, base: usize) -> Spread {
        let figures = |side: usize| self.figures.get(side).into_iter().flatten();
        let ratios: Vec<f64> = figures(side).zip(figures(base)).map(|(a, b)| a / b).collect();
        Spread::of(&ratios)
    }

    /// Prints a line per side: its figure, and the ratio of the first side to it.
    pub fn print(&self, title: &str) {
        println!("{title}");
        for (side, name) in self.names.iter().enumerate() {
            let time = Seconds(self.side(side).median);
            match side {
                0 => println!("  {name:<34} {time:>10}"),
                _ => println!("  {name:<34} {time:>10}   ours/this {}", self.ratio(0, side)),
            }
        }
    }
}

/// Median of some figures and its confidence interval.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Median.
    pub median: f64,
    /// Bounds of the interval that contains the true median with at least 95 % confidence, by order statistics alone;
    /// with fewer than six figures, the minimum and the maximum.
    pub interval: (f64, f64),
    count: usize,
}

impl Spread {
    fn of(figures: &[f64]) -> Self {
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
        let count = sorted.len();
        let skipped = skipped(count);
        Self {
            median: f64::midpoint(at(count.saturating_sub(1) / 2), at(count / 2)),
            interval: (at(skipped), at(count.saturating_sub(skipped + 1))),
            count,
        }
    }
}

/// Returns the number of figures at either end that are outside of the interval: as many as leave the probability of
/// the true median being there below 2.5 % per side. Each figure is below the true median with probability one half, so
/// that probability is a sum of binomial coefficients.
fn skipped(count: usize) -> usize {
    let mut chance = 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let mut sum = chance;
    let mut skipped = 0;
    for index in 1..count {
        chance *= (count - index + 1) as f64 / index as f64;
        sum += chance;
        if sum > 0.025 {
            break;
        }
        skipped = index;
    }
    skipped
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval;
        write!(f, "{:.3} [{low:.3}..{high:.3}] n={}", self.median, self.count)
    }
}

/// Duration formatted in a suitable unit.
#[derive(Clone, Copy, Debug)]
pub struct Seconds(pub f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.0 {
            time if time < 1e-3 => format!("{:.2} us", time * 1e6),
            time if time < 1.0 => format!("{:.2} ms", time * 1e3),
            time => format!("{time:.2} s"),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_excludes_improbable_figures() {
        // Classic table of this interval: 6 to 8 figures exclude none, 9 to 11 one, 12 to 14 two.
        let expected = [(3, 0), (5, 0), (6, 0), (8, 0), (9, 1), (11, 1), (12, 2), (25, 7)];
        for (count, excluded) in expected {
            assert_eq!(skipped(count), excluded, "{count}");
        }
    }

    #[test]
    fn the_median_is_the_middle() {
        let spread = Spread::of(&[9.0, 1.0, 3.0, 2.0]);
        assert_eq!((spread.median, spread.interval), (2.5, (1.0, 9.0)));
    }
}
