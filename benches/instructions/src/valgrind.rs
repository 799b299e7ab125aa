//! Callgrind as an external program.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use crate::figures::Cost;
use crate::meter::REGION;
use crate::paths::{HotPath, Scope, Side};

/// Returns whether Valgrind can be started.
pub fn is_installed() -> bool {
    let status = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Counts the cost of one repetition of one side, and keeps the profile in the folder.
pub fn count(path: &HotPath, side: Side, folder: &Path) -> anyhow::Result<Cost> {
    let profile = folder.join(format!("{}.{}.callgrind", path.name, side.name()));
    let output = command(path, side, &profile)?.output().context("`valgrind` cannot be started")?;
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`{}` fails under Valgrind:\n{text}", path.name);
    let total = total(&fs_err::read_to_string(&profile)?)?;
    ensure!(total.instructions > 0, "no instruction of `{}` was counted: is `{REGION}` a function?", path.name);
    let each = |total: u64| total / u64::from(path.repetitions());
    Ok(Cost { instructions: each(total.instructions), misses: each(total.misses) })
}

fn command(path: &HotPath, side: Side, profile: &Path) -> anyhow::Result<Command> {
    let mut command = Command::new("valgrind");
    // The size of the environment must not move the stack. Without the tunable, glibc copies more than 2 KiB with one
    // `rep movsb` on processors where that is fast, and Callgrind counts each byte as an instruction.
    command.env_clear().env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-ERMS");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.args(["--tool=callgrind", &format!("--callgrind-out-file={}", profile.display())]);
    // A common cache size, independent of this processor. The data cache is fully associative: which lines share a set
    // depends on addresses, which change with every build.
    command.args(["--cache-sim=yes", "--I1=32768,8,64", "--D1=49152,768,64", "--LL=8388608,16,64"]);
    if let Scope::Repetitions(_) = path.scope {
        command.arg(format!("--toggle-collect=*{REGION}*"));
    }
    command.arg(std::env::current_exe()?).args(["--run", path.name, side.name()]);
    Ok(command)
}

/// Returns the total of a profile.
fn total(profile: &str) -> anyhow::Result<Cost> {
    let line = |key: &str| {
        let line = profile.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        line.with_context(|| format!("the profile has no `{key}`"))
    };
    let counts = line("totals")?.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>();
    let counts = counts.context("the profile has `totals` that are no counts")?;
    // Trailing zero counts are omitted.
    let events = line("events")?.split_whitespace().zip(counts.into_iter().chain(std::iter::repeat(0)));
    let sum = |names: &[&str]| events.clone().filter(|(name, _)| names.contains(name)).map(|(_, count)| count).sum();
    Ok(Cost { instructions: sum(&["Ir"]), misses: sum(&["D1mr", "D1mw"]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: &str = "version: 1\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nfn=(1) a\n0 5\n";

    #[test]
    fn the_total_is_read_from_a_profile() {
        let whole = total(&format!("{EVENTS}totals: 1234 50 40 9 7 5 1 2 3\n"));
        assert_eq!(whole.ok(), Some(Cost { instructions: 1234, misses: 12 }));
        let cut = total(&format!("{EVENTS}totals: 1234 50 40 9\n"));
        assert_eq!(cut.ok(), Some(Cost { instructions: 1234, misses: 0 }));
    }

    #[test]
    fn a_profile_without_a_total_is_an_error() {
        assert!(total(EVENTS).is_err());
        assert!(total("totals: 1\n").is_err());
        assert!(total(&format!("{EVENTS}totals: many\n")).is_err());
    }
}
