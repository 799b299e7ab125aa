//! Confinement of a script to its process.

use std::fs::File;
use std::io::{Read, Result, Seek};

use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};

use crate::wire::ChildLimits;

#[cfg(target_os = "linux")]
mod linux;

/// First descriptor that cannot be opened; those below are the pipes and the kernel's status file.
const DESCRIPTORS: u64 = 4;

/// Increment of the nice value: many scripts that compute leave most of the time to the server.
const NICE: i32 = 5;

/// Confines the process before any script is read.
///
/// # Errors
///
/// Returns an error if the system refuses a restriction. Restrictions unknown to an older kernel are skipped.
pub(super) fn apply() -> Result<Gauge> {
    let gauge = Gauge::open();
    nice(NICE)?;
    #[cfg(target_os = "linux")]
    linux::end_with_parent()?;
    #[cfg(target_os = "linux")]
    linux::forbid_files()?;
    for (resource, value) in
        [(Resource::Core, 0), (Resource::Fsize, 0), (Resource::Nproc, 0), (Resource::Nofile, DESCRIPTORS)]
    {
        lower_limit(resource, value)?;
    }
    #[cfg(target_os = "linux")]
    linux::forbid_calls(gauge.status.as_ref())?;
    Ok(gauge)
}

/// Sets the limits that depend on the run.
pub(super) fn set_run_limits(gauge: &mut Gauge, limits: &ChildLimits) -> Result<()> {
    let [peak, mapped] = gauge.read(["VmHWM:", "VmSize:"]).unwrap_or_default();
    gauge.before = peak.unwrap_or(0);
    // The kernel counts what the program itself has already mapped.
    let headroom = limits.memory.saturating_add(limits.output.saturating_mul(8)).saturating_add(128 << 20);
    if let Some(mapped) = mapped {
        lower_limit(Resource::As, mapped.saturating_add(headroom as u64))?;
    }
    lower_limit(Resource::Cpu, limits.cpu_seconds)
}

/// Memory figures of the process from the kernel, read from a file that was opened before files became inaccessible.
pub(super) struct Gauge {
    status: Option<File>,
    before: u64,
}

impl Gauge {
    /// Opens the kernel's memory figures; where that file does not exist, `peak` returns 0.
    fn open() -> Self {
        // The file exists only on Linux.
        Self { status: File::open("/proc/self/status").ok(), before: 0 }
    }

    /// Returns the maximum number of bytes by which the process has grown since the run began.
    pub(super) fn peak(&mut self) -> u64 {
        let [peak] = self.read(["VmHWM:"]).unwrap_or_default();
        peak.unwrap_or(0).saturating_sub(self.before)
    }

    /// Reads figures, in bytes, with a single read of the file.
    fn read<const N: usize>(&mut self, names: [&str; N]) -> Option<[Option<u64>; N]> {
        let file = self.status.as_mut()?;
        file.rewind().ok()?;
        let mut bytes = [0; 8192];
        let length = file.read(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(bytes.get(..length)?);
        let figure = |name: &str| {
            let size = text.lines().find_map(|line| line.strip_prefix(name))?;
            let kibibytes: u64 = size.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(kibibytes.saturating_mul(1024))
        };
        Some(names.map(figure))
    }
}

/// Returns the maximum stack of a script; the engine itself needs some more.
pub(super) fn max_stack() -> usize {
    let soft = getrlimit(Resource::Stack).current.unwrap_or(8 << 20).min(64 << 20);
    usize::try_from(soft / 2).unwrap_or(1 << 20)
}

fn lower_limit(resource: Resource, value: u64) -> Result<()> {
    let hard = getrlimit(resource).maximum.map_or(value, |hard| hard.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(hard), maximum: Some(hard) })?)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
