//! Expands series with every compared implementation, and prints the durations.

mod rounds;

use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, ensure};
use wireform_recurrence::jiff::civil::{DateTime, date};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::{Recurrence, RecurrenceSet, Start};

use rounds::{Rounds, Side};

const DAILY: &str = "RRULE:FREQ=DAILY;COUNT=3653";
const WEEKLY: &str = "RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR";
const ZONE: &str = "America/New_York";

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let pairs = arguments.next().context("missing number of pairs")?.parse()?;
    let python = arguments.next().context("missing path of Python")?;
    let mut python = Python::start(&python, &arguments.next().context("missing path of the script")?)?;
    for zone in [None, Some(ZONE)] {
        let zone_name = zone.unwrap_or("no zone");
        let found = [ours_daily(zone)?, rrule_daily(zone)?, python.count("daily", zone)?];
        ensure!(found == [3_653; 3], "the sides found {found:?}");
        let mut rounds = Rounds::measure(
            pairs,
            vec![
                Side::batch("ours", || ours_daily(black_box(zone))),
                Side::batch("rrule", || rrule_daily(black_box(zone))),
                Side::new("python-dateutil", || python.time("daily", zone)),
            ],
        )?;
        rounds.print(&format!("3,653 days, in {zone_name}"));
        let found = [ours_weekly(zone)?, rrule_weekly(zone)?, python.count("weekly", zone)?];
        ensure!(found == [13; 3], "the sides found {found:?}");
        rounds = Rounds::measure(
            pairs,
            vec![
                Side::batch("ours", || ours_weekly(black_box(zone))),
                Side::batch("rrule", || rrule_weekly(black_box(zone))),
                Side::new("python-dateutil", || python.time("weekly", zone)),
            ],
        )?;
        rounds.print(&format!("three days of a week, a month after 20 years, in {zone_name}"));
        println!();
    }
    Ok(())
}

fn ours(line: &str, zone: Option<&str>) -> anyhow::Result<RecurrenceSet> {
    let start = date(2006, 1, 2).at(9, 0, 0, 0);
    let start = match zone {
        Some(zone) => Start::zoned(start, TimeZone::get(zone)?),
        None => Start::floating(start),
    };
    Ok(RecurrenceSet::new(start, Recurrence::parse([line])?)?)
}

/// Counts occurrences and reads the time of each.
fn count_times(times: impl Iterator<Item = DateTime>) -> usize {
    times.map(black_box).count()
}

fn ours_daily(zone: Option<&str>) -> anyhow::Result<usize> {
    Ok(count_times(ours(DAILY, zone)?.occurrences().map(|found| found.local())))
}

fn ours_weekly(zone: Option<&str>) -> anyhow::Result<usize> {
    let set = ours(WEEKLY, zone)?;
    Ok(count_times(set.occurrences_between(date(2026, 1, 1), date(2026, 2, 1)).map(|found| found.local())))
}

/// Parses a rule for rrule, which uses UTC without a zone.
fn rrule(line: &str, zone: Option<&str>) -> anyhow::Result<rrule::RRuleSet> {
    let start = match zone {
        Some(zone) => format!("DTSTART;TZID={zone}:20060102T090000"),
        None => "DTSTART:20060102T090000Z".to_owned(),
    };
    Ok(format!("{start}\n{line}").parse()?)
}

fn rrule_daily(zone: Option<&str>) -> anyhow::Result<usize> {
    let set = rrule(DAILY, zone)?;
    Ok((&set).into_iter().map(black_box).count())
}

fn rrule_weekly(zone: Option<&str>) -> anyhow::Result<usize> {
    let set = rrule(WEEKLY, zone)?;
    let bound = |text: &str| -> anyhow::Result<_> {
        Ok(*format!("DTSTART:{text}\nRRULE:FREQ=DAILY").parse::<rrule::RRuleSet>()?.get_dt_start())
    };
    let (from, to) = (bound("20260101T050000Z")?, bound("20260201T045959Z")?);
    Ok(set.after(from).before(to).all(100).dates.into_iter().map(black_box).count())
}

/// Python process that responds to each input line with one line.
struct Python {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Python {
    fn start(python: &str, script: &str) -> anyhow::Result<Self> {
        let mut process = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().context("no standard input")?;
        let output = BufReader::new(process.stdout.take().context("no standard output")?);
        Ok(Self { process, input, output })
    }

    fn request(&mut self, series: &str, zone: Option<&str>) -> anyhow::Result<(usize, f64)> {
        writeln!(self.input, "{series} {}", zone.unwrap_or("-"))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let (count, seconds) = line.trim().split_once(' ').context("invalid response of Python")?;
        Ok((count.parse()?, seconds.parse()?))
    }

    fn count(&mut self, series: &str, zone: Option<&str>) -> anyhow::Result<usize> {
        Ok(self.request(series, zone)?.0)
    }

    fn time(&mut self, series: &str, zone: Option<&str>) -> anyhow::Result<f64> {
        Ok(self.request(series, zone)?.1)
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
