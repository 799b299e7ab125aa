//! `cargo judge FILES`: generates values from the schemas of OpenAPI documents, and compares what the generated types make
//! of them with what an independent implementation of JSON Schema says.
//!
//! A valid value must come back as it was, and an invalid one must be refused, by decoding or by validation, or the loss of
//! its constraint must be reported by the import.

mod conversion;
mod differences;
mod document;
mod driver;
mod mutate;
mod oracle;
#[path = "../../suite/random.rs"]
#[allow(dead_code, reason = "the suite uses all of it")]
mod random;
mod strings;
mod values;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use serde_json::Value;
use wireform_importers::Loss;

use differences::{Case, Differences};
use document::Document;
use driver::Driver;
use oracle::Oracle;
use random::Random;
use values::{Amount, Generator, STYLES, Style};

/// Compares generated types with the schemas of OpenAPI documents, value by value.
#[derive(Parser)]
struct Arguments {
    /// OpenAPI documents, or folders with them.
    #[arg(required = true)]
    documents: Vec<PathBuf>,
    /// The seed of the values [default: another one every time, which is printed].
    #[arg(long)]
    seed: Option<u64>,
    /// The number of valid values, and of invalid ones, for each schema and direction.
    #[arg(long, default_value_t = 16)]
    values: usize,
    /// The file with the reasons of differences that are accepted.
    #[arg(long, value_name = "FILE")]
    reasons: Option<PathBuf>,
    /// Print every difference instead of one of each kind.
    #[arg(long)]
    all: bool,
}

/// Direction in which a value is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server, without what is read-only.
    Request,
    /// From the server to the client, without what is write-only.
    Response,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let seed = arguments.seed.unwrap_or_else(now).max(1);
    println!("seed {seed}");
    let mut driver = Driver::new(&driver::root().join("target/judge"));
    let mut differences = Differences::default();
    let mut documents: Vec<(Document, Vec<Loss>)> = Vec::new();
    let (mut unread, mut unjudged) = (BTreeSet::new(), BTreeSet::new());
    for (number, (path, name)) in document::files(&arguments.documents)?.iter().enumerate() {
        let document = match document::read(path, name, number) {
            Ok(Some(document)) => document,
            Ok(None) => continue,
            Err(error) => {
                unread.insert(format!("{name}: {error:#}"));
                continue;
            }
        };
        match driver.add(&document) {
            Ok(losses) => documents.push((document, losses)),
            Err(error) => differences.add_document(&document.name, &format!("cannot be imported: {error:#}")),
        }
    }
    for (api, error) in driver.check()? {
        let failed = documents.iter().find(|(document, _)| document.api == api);
        differences
            .add_document(failed.map_or("", |(document, _)| &document.name), &format!("does not compile: {error}"));
        driver.remove(&api);
    }
    let mut cases = Vec::new();
    for (document, losses) in &documents {
        for direction in [Direction::Request, Direction::Response] {
            let amounts = (seed, arguments.values);
            match generate(document, losses, direction, &driver, amounts, &mut unjudged) {
                Ok(found) => cases.extend(found),
                Err(error) => _ = unread.insert(format!("{}: {error:#}", document.name)),
            }
        }
    }
    let lines: Vec<String> = cases.iter().map(Case::line).collect();
    let outcomes = driver.run(&lines)?;
    for (case, outcome) in cases.iter().zip(&outcomes) {
        differences.compare(case, outcome);
    }
    print!("{}", differences.render(arguments.all));
    for (all, what) in [(&unread, "documents"), (&unjudged, "schemas")] {
        if !all.is_empty() {
            println!("{} {what} are not judged:", all.len());
        }
        all.iter().for_each(|one| println!("  {one}"));
    }
    differences.check_reasons(arguments.reasons.as_deref(), arguments.seed.is_some())
}

/// Generates the values of all schemas of a document.
fn generate<'d>(
    document: &'d Document,
    losses: &'d [Loss],
    direction: Direction,
    driver: &Driver,
    (seed, count): (u64, usize),
    unjudged: &mut BTreeSet<String>,
) -> anyhow::Result<Vec<Case<'d>>> {
    let mut oracle = Oracle::new(&document.value, direction)?;
    let converted = oracle.document.clone();
    let mut cases = Vec::new();
    for (index, schema) in document.schemas.iter().enumerate() {
        if !driver.has(&document.api, index) {
            unjudged.insert(format!("{}: {}: it has no generated operation", document.name, schema.pointer));
            continue;
        }
        let place = match direction {
            Direction::Request => "requestBody",
            Direction::Response => "responses/200",
        };
        let pointer = format!("/paths/~1judge~1{index}/put/{place}/content/application~1json/schema");
        let Some(root) = converted.pointer(&pointer) else { continue };
        // Each schema has numbers of its own, so that a change of one does not change the values of the others.
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (index as u64 + 1));
        let mut seen = BTreeSet::new();
        let case =
            |value: Value, fault| Case { document, losses, schema: &schema.pointer, index, direction, value, fault };
        let examples = schema.examples.iter().filter(|value| oracle.is_valid(&pointer, value) == Some(true));
        let mut valid: Vec<Value> = examples.cloned().collect();
        seen.extend(valid.iter().map(Value::to_string));
        let count = count + if count > 0 { valid.len() } else { 0 };
        for round in 0..count * 2 {
            let style = STYLES.get(round).copied().unwrap_or_else(|| random_style(&mut random));
            let mut generator = Generator { document: &converted, direction, style, random: &mut random, budget: 300 };
            let value = generator.value(root, 0);
            if valid.len() < count && oracle.is_valid(&pointer, &value) == Some(true) && seen.insert(value.to_string())
            {
                valid.push(value);
            }
        }
        let mut invalid = 0;
        // Clients accept what deviates in responses, and report it as drift where it matters.
        let attempts = if direction == Direction::Request { count * 6 } else { 0 };
        for _ in 0..attempts {
            let Some(value) = valid.get(random.below(valid.len())) else { break };
            let value = mutate::mutate(value, &mut random);
            let Some(fault) = oracle.fault(&pointer, &value).filter(|_| invalid < count) else { continue };
            if seen.insert(value.to_string()) {
                invalid += 1;
                cases.push(case(value, Some(fault)));
            }
        }
        cases.extend(valid.into_iter().map(|value| case(value, None)));
        if let Some(error) = oracle.error(&pointer) {
            unjudged.insert(format!("{}: {}: {error}", document.name, schema.pointer));
        }
    }
    Ok(cases)
}

fn random_style(random: &mut Random) -> Style {
    let amount = |random: &mut Random| [Amount::Least, Amount::Some, Amount::Most][random.below(3)];
    Style { optional: amount(random), bound: amount(random), nulls: random.below(3) == 0 }
}
