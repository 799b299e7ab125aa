//! Restrictions by the Linux kernel.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, Result};
use std::os::fd::AsRawFd;

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, Scope};
use libc::c_long;
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::set_no_new_privs;
use seccompiler::{
    BackendError, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

/// Ends the process with the thread that started it, even if the script never returns to the engine.
pub(super) fn end_with_parent() -> Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

/// Denies access to files, connections, and signals to other processes, as far as the kernel supports that.
pub(super) fn forbid_files() -> Result<()> {
    set_no_new_privs(true)?;
    let newest = ABI::V6;
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(newest))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(newest)))
        .and_then(|rules| rules.scope(Scope::from_all(newest)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    rules.map(drop).map_err(Error::other)
}

/// System calls that the engine needs, with any arguments.
const ALLOWED: &[c_long] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    // Time and randomness.
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_getrandom,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    // The pipes.
    libc::SYS_ppoll,
    // The exit, and what the standard library does around it.
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
];

/// Lets only the system calls through that the engine needs; the others fail.
pub(super) fn forbid_calls(status: Option<&File>) -> Result<()> {
    let mut rules: BTreeMap<c_long, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    // Other inherited descriptors are of no use.
    let mut readable = vec![rule([equal(0, 0)])?];
    if let Some(status) = status {
        let status = u64::try_from(status.as_raw_fd()).map_err(Error::other)?;
        readable.push(rule([equal(0, status)])?);
        rules.insert(libc::SYS_lseek, vec![rule([equal(0, status)])?]);
    }
    rules.insert(libc::SYS_read, readable);
    rules.insert(libc::SYS_write, vec![rule([equal(0, 1)])?, rule([equal(0, 2)])?]);
    // Limits of the process itself.
    rules.insert(libc::SYS_prlimit64, vec![rule([equal(0, 0)])?]);
    // Memory maps no file and never becomes executable.
    let no_file = u64::from((-1_i32).cast_unsigned());
    rules.insert(libc::SYS_mmap, vec![rule([not_executable(), equal(4, no_file)])?]);
    rules.insert(libc::SYS_mprotect, vec![rule([not_executable()])?]);

    let architecture = std::env::consts::ARCH.try_into().map_err(Error::other)?;
    let denied = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, denied, SeccompAction::Allow, architecture).map_err(Error::other)?;
    let program: seccompiler::BpfProgram = filter.try_into().map_err(Error::other)?;
    apply_filter(&program).map_err(Error::other)
}

/// Condition on an argument of a system call, or the reason why it cannot be built.
type Condition = std::result::Result<SeccompCondition, BackendError>;

/// Requires the lower 32 bits of the argument with this index to equal `value`.
fn equal(index: u8, value: u64) -> Condition {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn not_executable() -> Condition {
    let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
    SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(executable), 0)
}

/// Builds the rule that allows a system call if all conditions hold.
fn rule(conditions: impl IntoIterator<Item = Condition>) -> Result<SeccompRule> {
    let conditions: Vec<_> = conditions.into_iter().collect::<std::result::Result<_, _>>().map_err(Error::other)?;
    SeccompRule::new(conditions).map_err(Error::other)
}
