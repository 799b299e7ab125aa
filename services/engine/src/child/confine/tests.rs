//! Actions that a confined process attempts. Confinement cannot be undone, so each runs in its own process: this test
//! program, started again.

use std::process::{Command, exit};

const PROBE: &str = "child::confine::tests::probe";
/// Exit code of an attempt that failed as it should.
const REFUSED: i32 = 40;
const SUCCEEDED: i32 = 41;

/// Resources that an attempt had before the process was confined.
struct Resources {
    parent: Option<rustix::process::Pid>,
    file: std::fs::File,
}

fn attempt_escape(name: &str, before: &Resources) -> std::io::Result<()> {
    match name {
        "nothing" => Ok(()),
        "read a file" => std::fs::read("/etc/hostname").map(drop),
        "read an open file" => std::io::Read::read(&mut &before.file, &mut [0]).map(drop),
        "list a folder" => std::fs::read_dir("/").map(drop),
        "write a file" => std::fs::write("/tmp/engine-probe", "x"),
        "connect" => std::net::TcpStream::connect("127.0.0.1:9").map(drop),
        "listen" => std::net::TcpListener::bind("127.0.0.1:0").map(drop),
        "a socket of the system" => std::os::unix::net::UnixStream::pair().map(drop),
        "start a program" => Command::new("/bin/true").status().map(drop),
        "start a thread" => std::thread::Builder::new().spawn(|| ()).map(drop),
        "signal the parent" => {
            let parent = before.parent.ok_or(std::io::ErrorKind::NotFound)?;
            Ok(rustix::process::kill_process(parent, rustix::process::Signal::CONT)?)
        }
        "raise a limit" => {
            let raised = rustix::process::Rlimit { current: Some(64), maximum: Some(64) };
            rustix::process::setrlimit(rustix::process::Resource::Nofile, raised)?;
            // Root is permitted to, but there is still nothing to open.
            std::fs::read("/etc/hostname").map(drop)
        }
        other => panic!("unknown attempt {other}"),
    }
}

#[test]
#[ignore = "runs in a process of its own"]
fn probe() {
    let name = std::env::var("ENGINE_PROBE").unwrap_or_default();
    let before =
        Resources { parent: rustix::process::getppid(), file: std::fs::File::open("/proc/self/maps").unwrap() };
    let Ok(_gauge) = super::apply() else { exit(1) };
    exit(if attempt_escape(&name, &before).is_ok() { SUCCEEDED } else { REFUSED });
}

fn run(name: &str) -> Option<i32> {
    let program = std::env::current_exe().unwrap();
    let status =
        Command::new(program).args(["--exact", PROBE, "--ignored"]).env("ENGINE_PROBE", name).output().unwrap();
    status.status.code()
}

#[test]
fn confined_processes_reach_nothing() {
    assert_eq!(run("nothing"), Some(SUCCEEDED));
    for name in [
        "read a file",
        "read an open file",
        "list a folder",
        "write a file",
        "connect",
        "listen",
        "a socket of the system",
        "start a program",
        "start a thread",
        "signal the parent",
        "raise a limit",
    ] {
        assert_eq!(run(name), Some(REFUSED), "{name}");
    }
}
