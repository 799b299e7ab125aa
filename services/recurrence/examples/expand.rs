//! Expands series from the standard input, for comparisons with other implementations.
//!
//! A line of the input is a series: its start (`20260105`, `20260105T090000`, or with a zone `20260105T090000
//! Europe/Paris`), the maximum number of instances, and the recurrence lines, separated by tabs. A line of the output
//! has the local times of the instances and `.` at the end, `+` if there are more, `!` if the search for more was given
//! up, or `error: ` and the reason why the series was refused.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead as _, Write as _};

use wireform_recurrence::jiff::civil::{Date, DateTime};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::{Ending, Recurrence, RecurrenceSet, Start};

fn main() -> Result<(), Box<dyn Error>> {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        match expand(&line?) {
            Ok(instances) => writeln!(output, "{instances}")?,
            Err(error) => writeln!(output, "error: {error}")?,
        }
    }
    Ok(output.flush()?)
}

fn expand(line: &str) -> Result<String, Box<dyn Error>> {
    let mut parts = line.split('\t');
    let start = start(parts.next().unwrap_or_default())?;
    let limit: usize = parts.next().unwrap_or_default().parse()?;
    let set = RecurrenceSet::new(start, Recurrence::parse(parts)?)?;
    let (mut occurrences, mut text) = (set.occurrences(), String::new());
    for occurrence in occurrences.by_ref().take(limit) {
        write!(text, "{} ", occurrence.local().strftime("%Y%m%dT%H%M%S"))?;
    }
    let more = occurrences.next().is_some();
    text.push(match occurrences.ending() {
        _ if more => '+',
        Some(Ending::Exhausted) => '!',
        _ => '.',
    });
    Ok(text)
}

fn start(text: &str) -> Result<Start, Box<dyn Error>> {
    if let Some((time, zone)) = text.split_once(' ') {
        return Ok(Start::zoned(time.parse::<DateTime>()?, TimeZone::get(zone)?));
    }
    match text.parse::<DateTime>() {
        Ok(time) if text.contains('T') => Ok(Start::floating(time)),
        _ => Ok(Start::date(text.parse::<Date>()?)),
    }
}
