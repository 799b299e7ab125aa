//! Script projects: how fast functions run and content is saved, and what hostile functions and kills leave behind.

mod content;
mod cpu;
mod crash;
mod hostile;
mod memory;
mod processes;
mod project;
mod run;

/// What is measured or put under stress.
#[derive(Debug, clap::Subcommand)]
pub enum Part {
    /// A trivial function over HTTP: how long one call takes, and how many a second.
    Run(run::Settings),
    /// Content of many files that is on disk when it is acknowledged.
    Content(content::Settings),
    /// A route that saves the content of `content` by hand, as a process of its own: `content` starts it.
    #[command(hide = true)]
    ContentByHand(content::by_hand::Settings),
    /// The processor time of a script that computes, beside that in the bare engine.
    Cpu(cpu::Settings),
    /// The script of `cpu` in the bare engine, as a process of its own: `cpu` starts it.
    #[command(hide = true)]
    Bare,
    /// Lists of processes out of a million, by each filter.
    Processes(processes::Settings),
    /// The memory of a server with many projects and processes that wait for runs.
    Memory(memory::Settings),
    /// Hostile functions run among good ones.
    Hostile(hostile::Settings),
    /// The server is killed during runs, again and again.
    Crash(crash::Settings),
}

/// Runs a part.
pub async fn run(part: &Part) -> anyhow::Result<()> {
    match part {
        Part::Run(settings) => run::run(settings).await,
        Part::Content(settings) => content::run(settings).await,
        Part::ContentByHand(settings) => content::by_hand::run(settings).await,
        Part::Cpu(settings) => cpu::run(settings),
        Part::Bare => cpu::bare(),
        Part::Processes(settings) => processes::run(settings).await,
        Part::Memory(settings) => memory::run(settings).await,
        Part::Hostile(settings) => hostile::run(settings).await,
        Part::Crash(settings) => crash::run(settings).await,
    }
}
