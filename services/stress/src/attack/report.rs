//! Report and verdict of an attack.

use wireform_rounds::Seconds;

use super::honest::CallStats;
use super::large::SlowCallStats;
use super::scene::Counts;
use super::{Attack, Settings};

/// Maximum of the 99th percentile of honest calls compared with that of calls without attackers: a factor and an
/// additional number of seconds.
const MAX_SLOWDOWN: (f64, f64) = (3.0, 0.05);

/// Maximum memory during an attack, in bytes.
const MAX_PEAK: u64 = 200 << 20;
/// Maximum memory ten seconds after an attack, in bytes.
const MAX_AFTER: u64 = 100 << 20;

/// Maximum number of additional open descriptors ten seconds after an attack.
const MAX_DESCRIPTORS: usize = 32;

/// Maximum number of transactions per second of health checks, in addition to those of the honest clients.
const MAX_COMMITS: u64 = 2;

/// Results of an attack.
pub struct Row {
    pub attack: Attack,
    pub seconds: u64,
    /// Observations of the honest clients alone, and with the attackers.
    pub idle: CallStats,
    pub attacked: CallStats,
    pub large: Option<SlowCallStats>,
    pub attackers: Vec<(Attack, Counts)>,
    /// Number of transactions written during the attack.
    pub commits: u32,
    /// Peak memory, and memory ten seconds after the attack, in bytes.
    pub peak: u64,
    pub after: u64,
    /// Open descriptors at the start of the server, and ten seconds after the attack.
    pub descriptors: (usize, usize),
    /// Processes of scripts ten seconds after the attack.
    pub processes: usize,
    /// Load of the machine before and after the attack.
    pub load: (f64, f64),
    /// True if the server responds after the attack.
    pub alive: bool,
    /// Reason why the server did not stop as requested.
    pub stopped: Option<String>,
    /// Errors in the server's log.
    pub log: Vec<String>,
}

/// Prints the columns.
pub fn print_header(settings: &Settings) {
    println!(
        "{} s each, honest clients measured alone for {} s before; slow attacks of {} connections from {}; the server \
         starts with a limit of {} descriptors\n\
         slow connections send once a second and come back 5 s after they were closed; floods have no pause; \
         attackers run at the lowest priority",
        settings.seconds,
        settings.idle_seconds,
        settings.connections,
        if settings.peers == 0 {
            "the address of the honest clients".to_owned()
        } else {
            format!("{} addresses", settings.peers)
        },
        settings.descriptors
    );
    println!(
        "{:<10} {:>6} {:>6} {:>21} {:>23} {:>9} {:>9} {:>9} {:>9}",
        "attack",
        "calls",
        "failed",
        "p50 alone/attacked",
        "p99 alone/attacked",
        "peak MiB",
        "after MiB",
        "open",
        "commits/s"
    );
}

/// Converts bytes to whole mebibytes, rounded down.
fn mebibytes(bytes: u64) -> u64 {
    bytes >> 20
}

fn failed_calls(failures: &std::collections::BTreeMap<String, u64>) -> u64 {
    failures.values().sum()
}

/// Returns whether a count is one of responses, or of connections that the server closed.
fn is_response(what: &str) -> bool {
    what.split(' ').any(|word| word == "closed" || word.parse::<u16>().is_ok())
}

impl Row {
    /// Prints the row and its violations.
    pub fn print(&self) {
        let violations = self.violations();
        let times = |part| format!("{} / {}", Seconds(self.idle.quantile(part)), Seconds(self.attacked.quantile(part)));
        println!(
            "{:<10} {:>6} {:>6} {:>21} {:>23} {:>9} {:>9} {:>9} {:>9.1}  {}",
            self.attack.name(),
            self.attacked.calls(),
            failed_calls(&self.attacked.failures),
            times(0.5),
            times(0.99),
            mebibytes(self.peak),
            mebibytes(self.after),
            format!("{}/{}", self.descriptors.0, self.descriptors.1),
            f64::from(self.commits) / self.seconds.max(1) as f64,
            if violations.is_empty() { "held" } else { "FAILED" }
        );
        for violation in violations {
            println!("  {violation}");
        }
        let calls = |part| self.attacked.quantiles(part).map(|(name, time)| format!("{name} {}", Seconds(time)));
        println!("  p50: {}", calls(0.5).collect::<Vec<_>>().join(", "));
        println!("  p99: {}", calls(0.99).collect::<Vec<_>>().join(", "));
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let (before, after) = self.load;
        println!(
            "  load of the machine: {before} before, {after} after, {processors} processors; {} processes of scripts 10 s after",
            self.processes
        );
        if let Some(large) = &self.large {
            let longest = Seconds(large.longest.as_secs_f64());
            println!(
                "  calls that may wait: {}, {} failed, at most {longest}",
                large.calls,
                failed_calls(&large.failures)
            );
        }
        if let Some(first) = self.log.first() {
            println!("  the server logged {} errors, the first: {first}", self.log.len());
        }
        for (attack, counts) in &self.attackers {
            let counts: Vec<String> = counts.iter().map(|(what, count)| format!("{what}: {count}")).collect();
            println!("  {}: {}", attack.name(), counts.join(", "));
        }
    }

    /// Returns the violated limits, one sentence each.
    pub fn violations(&self) -> Vec<String> {
        let (alone, attacked) = (self.idle.quantile(0.99), self.attacked.quantile(0.99));
        let allowed = alone * MAX_SLOWDOWN.0 + MAX_SLOWDOWN.1;
        let mut found = Vec::new();
        if self.attacked.calls() == 0 || attacked.is_nan() || attacked > allowed {
            found.push(format!("p99 of the honest clients {}, allowed {}", Seconds(attacked), Seconds(allowed)));
        }
        let large = self.large.iter().flat_map(|large| &large.failures);
        let failures = self.idle.failures.iter().chain(&self.attacked.failures).chain(large);
        found.extend(failures.map(|(failure, count)| format!("{count} failed calls of honest clients: {failure}")));
        if self.large.as_ref().is_some_and(|large| large.calls == 0) {
            found.push("the client whose calls may wait received no response".to_owned());
        }
        for (what, bytes, max) in [("at the peak", self.peak, MAX_PEAK), ("10 s after", self.after, MAX_AFTER)] {
            if bytes >= max {
                found.push(format!("{} MiB {what}, allowed {}", mebibytes(bytes), mebibytes(max)));
            }
        }
        let (ready, after) = self.descriptors;
        if after > ready + MAX_DESCRIPTORS {
            found.push(format!("{after} open descriptors 10 s after, {ready} at the start"));
        }
        let max = self.attacked.writes + MAX_COMMITS * self.seconds + 10;
        if self.attack == Attack::Health && u64::from(self.commits) > max {
            found.push(format!("{} transactions written, allowed {max}", self.commits));
        }
        // Sleeping runs may outlast the attack.
        let attackers = self.attackers.iter().filter(|(attack, _)| *attack != Attack::Sleepers);
        let silent = attackers.filter(|(_, counts)| !counts.keys().any(|what| is_response(what)));
        found.extend(silent.map(|(attack, _)| {
            format!("the attackers of `{}` got no response: the machine is too slow, or too busy", attack.name())
        }));
        if !self.alive {
            found.push("no response after the attack".to_owned());
        }
        found.extend(self.stopped.clone());
        found.iter().map(|one| format!("{}: {one}", self.attack.name())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(time: f64) -> CallStats {
        CallStats { times: [("get", vec![time; 200])].into(), ..CallStats::default() }
    }

    /// Returns the row of a server that has just held.
    fn passing_row() -> Row {
        Row {
            attack: Attack::Health,
            seconds: 60,
            idle: figures(0.01),
            attacked: figures(0.079),
            large: None,
            attackers: Vec::new(),
            commits: 130,
            peak: MAX_PEAK - 1,
            after: MAX_AFTER - 1,
            descriptors: (20, 52),
            processes: 8,
            load: (0.5, 1.5),
            alive: true,
            stopped: None,
            log: Vec::new(),
        }
    }

    #[test]
    fn a_row_within_all_limits_has_no_violation() {
        assert_eq!(passing_row().violations(), Vec::<String>::new());
    }

    #[test]
    fn each_limit_is_a_separate_violation() {
        let failure = || [("get: 503".to_owned(), 1)].into();
        let large = |calls| Some(SlowCallStats { calls, ..SlowCallStats::default() });
        let broken = [
            Row { attacked: figures(0.081), ..passing_row() },
            Row { attacked: CallStats::default(), ..passing_row() },
            Row { idle: CallStats { failures: failure(), ..figures(0.01) }, ..passing_row() },
            Row { attacked: CallStats { failures: failure(), ..figures(0.01) }, ..passing_row() },
            Row { large: large(0), ..passing_row() },
            Row {
                large: Some(SlowCallStats { calls: 1, failures: failure(), ..SlowCallStats::default() }),
                ..passing_row()
            },
            Row { commits: 131, ..passing_row() },
            Row { peak: MAX_PEAK, ..passing_row() },
            Row { after: MAX_AFTER, ..passing_row() },
            Row { descriptors: (20, 53), ..passing_row() },
            Row { attackers: vec![(Attack::Pages, [("open at the end".to_owned(), 96)].into())], ..passing_row() },
            Row { alive: false, ..passing_row() },
            Row { stopped: Some("killed".to_owned()), ..passing_row() },
        ];
        for (number, row) in broken.iter().enumerate() {
            assert_eq!(row.violations().len(), 1, "{number}: {:?}", row.violations());
        }
    }

    #[test]
    fn attackers_that_got_responses_have_attacked() {
        for what in ["200", "anonymous 408", "own closed"] {
            let attackers = vec![(Attack::Heads, [(what.to_owned(), 1)].into())];
            assert_eq!(Row { attackers, ..passing_row() }.violations(), Vec::<String>::new(), "{what}");
        }
    }

    #[test]
    fn a_hundredth_that_is_slow_is_the_99th_percentile() {
        let mut times = vec![0.001; 990];
        times.extend([1.0; 10]);
        let times = [("get", times)].into();
        assert!(CallStats { times, ..CallStats::default() }.quantile(0.99) > 0.5);
    }
}
