//! Parsing and resolution of settings, and their table in the documentation.

use std::path::Path;
use std::time::Duration;

use clap::CommandFactory as _;
use wireform_store::Retention;

use super::value::{self, Addresses, Names, Until};
use super::{Layer, Level, ServeFlags, ServeSettings, StoreFlags, StoreLocation, read};
use crate::cli::Cli;

#[test]
fn values_are_parsed() {
    assert_eq!(value::port("0"), Ok(0));
    assert_eq!(value::addresses("localhost, ::1,127.0.0.1").map(|found| found.0.len()), Ok(2));
    assert_eq!(value::names("public"), Ok(Names::Public));
    assert_eq!(value::instant("1970-01-01T01:00:01+01:00").map(|time| time.0), Ok(1000));
    assert_eq!(value::bytes("10MiB"), Ok(10 << 20));
    assert_eq!(value::bytes("65536"), Ok(1 << 16));
    assert_eq!(value::retention("forever"), Ok(Retention::Forever));
    assert_eq!(value::retention("1h"), Ok(Retention::For(Duration::from_secs(3600))));
    assert_eq!(value::until("never"), Ok(Until::Never));
    assert_eq!(value::time_zone("europe/berlin").as_deref(), Ok("Europe/Berlin"));
    for (text, seconds) in
        [("90m", 5400), ("30 days", 2_592_000), ("PT1H", 3600), ("P1DT1H", 90_000), ("2w", 1_209_600)]
    {
        assert_eq!(value::duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        let spelled = value::format_duration(Duration::from_secs(seconds));
        assert_eq!(value::duration(&spelled), Ok(Duration::from_secs(seconds)), "{spelled}");
    }
}

#[test]
fn invalid_values_are_reported_with_the_allowed_ones() {
    let reported = |error: Result<(), String>| error.expect_err("it is refused");
    let table: [(String, &str); 12] = [
        (reported(value::port("70000").map(|_| ())), "0 to 65535"),
        (reported(value::addresses("127.0.0.1,home").map(|_| ())), "`home` is not an IP address"),
        (reported(value::names("google").map(|_| ())), "`spec`"),
        (reported(value::instant("2026-01-05 09:00").map(|_| ())), "2026-01-05T09:00:00Z"),
        (reported(value::switch("maybe").map(|_| ())), "true or false"),
        (reported(value::count("0").map(|_| ())), "1 to 1000000"),
        (reported(value::bytes("12").map(|_| ())), "1KiB to 1GiB"),
        (reported(value::bytes("99999999999999999999GiB").map(|_| ())), "1KiB to 1GiB"),
        (reported(value::duration("1 month").map(|_| ())), "no fixed length"),
        (reported(value::duration("-1h").map(|_| ())), "negative"),
        (reported(value::retention("59m").map(|_| ())), "at least 1h"),
        (reported(value::time_zone("Berlin").map(|_| ())), "Europe/Berlin"),
    ];
    for (error, expected) in table {
        assert!(error.contains(expected), "{error} does not contain {expected}");
    }
}

#[test]
fn a_database_url_is_displayed_without_secrets() {
    let url = value::url("postgres://ada:pa%40ss@db.example/mail?password=word").expect("it is read");
    assert_eq!(url.to_string(), "postgres://db.example/mail");
    assert!(!format!("{url:?}").contains("pa%40ss"));
    let wrong = Some(value::Url("mysql://ada:sesame@db/mail".into()));
    let wrong = Layer { level: Level::Flags, data: None, store: wrong };
    let error = format!("{:#}", StoreLocation::from_layers(&[wrong]).expect_err("it is refused"));
    assert!(error.contains("postgres://") && !error.contains("sesame"), "{error}");
}

/// Tests every combination of what flags, environment and file set: nothing, a folder, a database, or both.
#[test]
fn the_location_is_that_of_the_highest_level_with_one() {
    let levels = [Level::Flags, Level::Environment, Level::File("settings.yaml".into())];
    let names =
        [["--data", "--store"], ["WIREFORM_DATA", "WIREFORM_STORE"], ["`data` of settings", "`store` of settings"]];
    for combination in 0..4_usize.pow(3) {
        let given = [combination / 16, combination / 4 % 4, combination % 4].map(|bits| [bits & 1 == 1, bits & 2 == 2]);
        let layers: Vec<Layer> = given.iter().zip(&levels).map(|(given, level)| layer(level, *given)).collect();
        let location = StoreLocation::from_layers(&layers);
        let Some(first) = given.iter().position(|given| *given != [false, false]) else {
            assert!(matches!(&location, Ok((StoreLocation::Folder(_), unused)) if unused.is_empty()), "{location:?}");
            continue;
        };
        if given[first] == [true, true] {
            let error = format!("{:#}", location.expect_err("one of them"));
            assert!(names[first].iter().all(|name| error.contains(name)), "{error}");
            continue;
        }
        let (location, unused) = location.expect("the closest level names one location");
        let kind = usize::from(given[first][1]);
        match (&location, kind) {
            (StoreLocation::Folder(folder), 0) => assert!(folder.ends_with(folder_of(&levels[first])), "{folder:?}"),
            (StoreLocation::Database(url), 1) => assert_eq!(*url, database(&levels[first])),
            _ => panic!("{given:?}: {location:?}"),
        }
        let other: Vec<&str> = (first + 1..3).filter(|at| given[*at][1 - kind]).map(|at| names[at][1 - kind]).collect();
        assert_eq!(unused.len(), other.len(), "{given:?}: {unused:?}");
        for (sentence, other) in unused.iter().zip(other) {
            assert!(sentence.contains(other) && sentence.contains(names[first][kind]), "{sentence}");
            assert!(!sentence.contains("sesame"), "{sentence}");
        }
    }
}

fn layer(level: &Level, [data, store]: [bool; 2]) -> Layer {
    let (folder, url) = (folder_of(level).into(), database(level));
    Layer { level: level.clone(), data: data.then_some(folder), store: store.then_some(url) }
}

fn folder_of(level: &Level) -> &'static str {
    match level {
        Level::Flags => "flags",
        Level::Environment => "environment",
        Level::File(_) => "file",
    }
}

fn database(level: &Level) -> value::Url {
    value::Url(format!("postgres://ada:sesame@{}/mail", folder_of(level)))
}

#[test]
fn other_machines_require_an_explicit_setting() {
    let outside = || ServeFlags { listen: Some(Addresses(vec![[0, 0, 0, 0].into()])), ..ServeFlags::default() };
    let error = ServeSettings::resolve(outside(), None).expect_err("it is dangerous").to_string();
    assert!(error.contains("0.0.0.0") && error.contains("--insecure-listen"), "{error}");
    let settings = ServeSettings::resolve(ServeFlags { insecure_listen: Some(true), ..outside() }, None)
        .expect("the flag is valid");
    assert!(!settings.token && !settings.overview_anywhere, "the token is not handed out there");
    assert!(!settings.loopback_callbacks, "notifications are not sent to this machine");
    let tls = ServeFlags { tls_cert: Some("c".into()), tls_key: Some("k".into()), ..outside() };
    assert!(!ServeSettings::resolve(tls.clone(), None).expect("it is safe").token);
    assert!(
        ServeSettings::resolve(ServeFlags { no_token: Some(false), ..tls }, None).expect("it is safe").token,
        "the flag requests it"
    );
    let inside = ServeSettings::resolve(ServeFlags::default(), None).expect("the defaults are fine");
    assert!(inside.token && inside.page && inside.default_port && inside.port == 8117);
    let mapped = Addresses(vec!["::ffff:127.0.0.1".parse().expect("an address")]);
    assert!(ServeSettings::resolve(ServeFlags { listen: Some(mapped), ..ServeFlags::default() }, None).is_ok());
}

#[test]
fn errors_in_the_file_have_locations() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings.yaml");
    let table = [
        ("prot: 1\n", "settings.yaml:1:1: unknown field `prot`", "did you mean `port`?"),
        ("port: 1\nnames: google\n", "settings.yaml:2:8: `names`: must be `spec`", ""),
        ("data: ~/mail\n", "settings.yaml:1:7: `data`: `~` is not expanded", ""),
        ("port: [1\n", "settings.yaml:1:7: ", ""),
        ("port: 1\nport: 2\n", "settings.yaml:2:1: duplicate key `port`", ""),
        ("store: postgres://ada:sesame@db/mail\nzzz: 1\n", "settings.yaml:2:1: unknown field `zzz`", ""),
    ];
    for (text, start, end) in table {
        fs_err::write(&path, text).expect("written");
        let error = format!("{:#}", read(&path).map(|_| ()).expect_err("it is refused"));
        assert!(error.contains(start) && error.ends_with(end), "{error}");
        assert!(!error.contains("sesame"), "{error}");
    }
    fs_err::write(&path, "port: 81\nno-page: true\nlisten: 127.0.0.1, ::1\n").expect("written");
    let (_, serve) = read(&path).expect("it is right");
    assert_eq!((serve.port, serve.no_page), (Some(81), Some(true)));
    let flags = ServeFlags { port: Some(82), ..ServeFlags::default() }.or(serve);
    assert_eq!((flags.port, flags.listen.map(|listen| listen.0.len())), (Some(82), Some(2)));
}

/// Returns the rows of the table of settings: flag, variable, meaning.
fn page_rows() -> Vec<[String; 3]> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/services.md");
    let text = fs_err::read_to_string(page).expect("the page is there");
    let rows = text.lines().filter(|line| line.starts_with("| `--"));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split(" | ").map(|cell| cell.trim().replace('`', ""));
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    })
    .collect()
}

#[test]
fn every_setting_is_documented() {
    let command = Cli::command();
    let rows = page_rows();
    let expected: Vec<[String; 2]> = command
        .get_arguments()
        .filter_map(|argument| {
            let variable = argument.get_env()?.to_str()?.to_owned();
            let mut flag = format!("--{}", argument.get_long()?);
            if argument.get_num_args().is_none_or(|number| number.min_values() > 0) {
                flag.push_str(&format!(" {}", argument.get_value_names()?.first()?));
            }
            Some([flag.replace('|', "\\|"), variable])
        })
        .collect();
    let reported: Vec<[String; 2]> = rows.iter().map(|[flag, variable, _]| [flag.clone(), variable.clone()]).collect();
    assert_eq!(reported, expected, "docs/services.md and the command line differ");
    assert!(rows.iter().all(|[_, _, meaning]| meaning.len() > 10), "{rows:?}");
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
    assert_eq!(ServeFlags::NAMES.len() + StoreFlags::NAMES.len() + 1, page_rows().len());
}
