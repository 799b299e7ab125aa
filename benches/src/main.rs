//! Measurements of Wireform compared with the alternatives, as ratios.

mod alloc;
mod child;
mod client;
mod compile;
mod discovery;
mod generate;
mod google;
mod json;
mod place;
mod project;
mod public;
mod recurrence;
mod server;
mod tool;
mod validate;

use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: alloc::CountingAllocator = alloc::CountingAllocator;

const JSON_PAIRS: usize = 25;

/// Measures Wireform compared with the alternatives; all parts, unless one is given.
#[derive(Parser)]
#[command(name = "wireform-benches", version)]
struct Cli {
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand)]
enum Part {
    /// Decoding and encoding calendar events, compared with handwritten types and `serde_json::Value`.
    Json {
        /// Number of interleaved measurements of every side.
        #[arg(long, default_value_t = JSON_PAIRS)]
        pairs: usize,
    },
    /// Generator as a whole process, and how its time grows with the schema.
    Gen(generate::Settings),
    /// Importing and generating many Discovery documents, from nothing and again, compared with copying the output.
    Discovery(discovery::Settings),
    /// Generating public APIs, compared with progenitor, and the largest of them.
    ///
    /// The peer consists of two small programs, each with one call of its library from a file to formatted files, built
    /// with the same release profile. Both sides have the same operations with their parameters, resources and enums;
    /// the document for progenitor is derived from our schema without constraints. Both format in process, progenitor
    /// with prettyplease instead of rustfmt. Our program uses the allocator of our command, progenitor's uses the
    /// system's. Our client has setters for optional parameters, like progenitor's builder style.
    Public(public::Settings),
    /// Checking the types and clients of whole public APIs, compared with the google crates.
    PublicCompile(public::compile::Settings),
    /// Checking the generated crates, compared with google-script1 and google-calendar3.
    Compile(compile::Settings),
    /// Building the generated clients, compared with google-script1 and progenitor's client of the calendar.
    ClientCompile(client::compile::Settings),
    /// Size of a program that makes one call, compared with the same using reqwest alone.
    ClientSize,
    /// Calls by a generated client on the loopback interface, compared with reqwest and handwritten types.
    ClientCall(client::call::Settings),
    /// Validating an event by generated rules, compared with a handwritten function, garde, validator and jsonschema.
    Validate(validate::Settings),
    /// Checking the generated validation crates, compared with the types crates.
    ValidateCompile(validate::compile::Settings),
    /// Expanding recurring series, compared with the crate rrule and python-dateutil. Requires Python 3.10 or newer.
    Recurrence(recurrence::Settings),
    /// Generated server under load, compared with a handwritten one on axum.
    Server(server::Settings),
    /// Checking the generated server crates, compared with the types crates.
    ServerCompile(server::compile::Settings),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().part {
        Some(Part::Json { pairs }) => json::run(pairs),
        Some(Part::Gen(settings)) => generate::run(&settings),
        Some(Part::Discovery(settings)) => discovery::run(&settings),
        Some(Part::Public(settings)) => public::run(&settings),
        Some(Part::PublicCompile(settings)) => public::compile::run(&settings),
        Some(Part::Compile(settings)) => compile::run(&settings),
        Some(Part::ClientCompile(settings)) => client::compile::run(&settings),
        Some(Part::ClientSize) => client::size::run(),
        Some(Part::ClientCall(settings)) => client::call::run(&settings),
        Some(Part::Validate(settings)) => validate::run(&settings),
        Some(Part::ValidateCompile(settings)) => validate::compile::run(&settings),
        Some(Part::Recurrence(settings)) => recurrence::run(&settings),
        Some(Part::Server(settings)) => server::run(&settings),
        Some(Part::ServerCompile(settings)) => server::compile::run(&settings),
        None => {
            json::run(JSON_PAIRS)?;
            generate::run(&generate::Settings::default())?;
            discovery::run(&discovery::Settings::default())?;
            compile::run(&compile::Settings::default())?;
            client::compile::run(&client::compile::Settings::default())?;
            client::size::run()?;
            client::call::run(&client::call::Settings::default())?;
            validate::run(&validate::Settings::default())?;
            validate::compile::run(&validate::compile::Settings::default())?;
            recurrence::run(&recurrence::Settings::default())?;
            server::run(&server::Settings::default())?;
            server::compile::run(&server::compile::Settings::default())
        }
    }
}
