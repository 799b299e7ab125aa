//! Tests that follow the documentation as a new user does, command by command.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{Home, program};

/// Commands that the tests of other files run: they serve, watch, or need an execution that has not ended.
const OTHERS: &[&str] = &["--listen", "--names", "scripts watch", "scripts cancel"];

/// Returns the commands of the program in the examples of a page, in order.
fn commands(page: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let text = fs_err::read_to_string(page).expect("the page is there");
    let lines = text.lines().filter_map(|line| line.strip_prefix("$ wireform-services "));
    lines.filter(|line| !OTHERS.iter().any(|other| line.starts_with(other))).map(str::to_owned).collect()
}

/// Runs a command as a shell does, in the folder of a user.
fn run(home: &Home, command: &str) {
    let program = program();
    let folder = Path::new(program.get_program()).parent().expect("the program is in a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    for (name, value) in program.get_envs() {
        if value.is_none() {
            shell.env_remove(name);
        }
    }
    shell.args(["-c", &format!("wireform-services {command}")]).current_dir(home.0.path());
    shell.env("PATH", path).env("HOME", home.0.path()).env("WIREFORM_DATA", home.data());
    let output = shell.stdin(Stdio::null()).output().expect("the shell starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "`wireform-services {command}` fails: {error}");
}

/// Creates the files that the examples import.
fn write_files(home: &Home) {
    for folder in ["Maildir/cur", "Maildir/new", "Maildir/tmp", "calendars"] {
        fs_err::create_dir_all(home.path(folder)).expect("a folder");
    }
    home.file("Maildir/new/1", "From: charles@example.com\nSubject: One\n\nText\n");
    home.file("archive.mbox", "From c Mon Jan  5 09:00:00 2026\nFrom: charles@example.com\nSubject: Two\n\nText\n");
    let event = "BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\nEND:VEVENT";
    let calendar = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:a\r\n{event}\r\nEND:VCALENDAR\r\n");
    home.file("calendar.ics", &calendar);
    home.file("calendars/mill.ics", &calendar);
    home.file("contacts.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Charles\r\nBDAY:17911226\r\nEND:VCARD\r\n");
}

#[test]
fn the_commands_of_the_page_of_services_run_in_order() {
    let home = Home::new();
    write_files(&home);
    let commands = commands("services.md");
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        run(&home, &command);
    }
    let calendars = home.list(&["calendars", "list", "--user", "ada@example.com"]);
    assert_eq!(calendars.as_array().map(Vec::len), Some(2), "{calendars}");
}

#[test]
fn the_commands_of_the_page_of_scripts_run_in_order() {
    let home = Home::new();
    let seed = "users:\n  - address: ada@example.com\n    scripts:\n      - title: Sums\n        \
                files: { Code: \"function add(a, b) { return a + b; } function report() {}\" }\n  - address: charles@example.com\n";
    let seed = home.file("seed.yaml", seed);
    home.run(&["seed", seed.to_str().expect("UTF-8")]);
    let id = home.list(&["scripts", "list"])[0]["id"].as_str().expect("an identifier").to_owned();
    let commands = commands("scripts.md");
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands {
        let mut command = command.replace("ID", &id);
        if command.contains("TRIGGER") {
            let triggers = home.list(&["scripts", "triggers", &id]);
            command = command.replace("TRIGGER", triggers[0]["id"].as_str().expect("a trigger"));
        }
        run(&home, &command);
    }
    assert_eq!(home.list(&["scripts", "list"]), serde_json::json!([]), "the last command removes it");
}

/// The time in `--clock` is that of commands.
#[tokio::test]
async fn commands_have_the_time_of_the_clock() {
    let home = Home::new();
    let (start, later) = ("2026-01-05T09:00:00Z", "2026-03-05T09:00:00Z");
    let seed = "users:\n  - address: a@b\n    scripts: [{ title: Sums, files: { Code: \"function add() {}\" } }]\n";
    let seed = home.file("seed.yaml", seed);
    let server = home.serve(&["--clock", start, "--allow-loopback-callbacks", "--seed", seed.to_str().expect("UTF-8")]);
    let channel = serde_json::json!({ "id": "c1", "type": "web_hook", "address": "http://127.0.0.1:9/hook" });
    let (status, opened) = server.post("/calendar/v3/calendars/primary/events/watch", &channel).await;
    assert_eq!(status, reqwest::StatusCode::OK, "{opened}");
    server.stop();
    let channels = |clock: &str| home.list(&["--clock", clock, "channels", "list"]).as_array().map(Vec::len);
    assert_eq!((channels(start), channels(later)), (Some(1), Some(0)), "it is open for a week");

    let id = home.list(&["scripts", "list"])[0]["id"].as_str().expect("an identifier").to_owned();
    let schedule = |clock: &str, function: &str, when: [&str; 2]| {
        let schedule = ["--clock", clock, "scripts", "schedule", &id, function, "--user", "a@b", when[0], when[1]];
        home.output(&schedule)
    };
    let due = |clock: &str, when: [&str; 2]| {
        let output = schedule(clock, "add", when);
        let text = String::from_utf8(output.stdout).expect("it is text");
        text.trim_end().rsplit_once("first at ").expect("a time").1.to_owned()
    };
    assert!(due(start, ["--every", "6h"]).starts_with("2026-01-05T15:00:0"));
    assert!(due(later, ["--every", "6h"]).starts_with("2026-03-05T15:00:0"));
    assert_eq!(due(start, ["--at", "2026-01-05T10:00:00Z"]), "2026-01-05T10:00:00Z");
    let missing = schedule(start, "subtract", ["--every", "6h"]);
    let error = String::from_utf8_lossy(&missing.stderr);
    assert!(!missing.status.success() && error.contains("no function `subtract`"), "{error}");
}
