//! Script projects: performance of runs and saves, and the effects of hostile functions and kills.

mod content;
mod cpu;
mod crash;
mod hostile;
mod memory;
mod processes;
mod project;
mod run;

/// Measurement or stress test.
#[derive(Debug, clap::Subcommand)]
pub enum Part {
    /// Trivial function over HTTP: duration of a call, and throughput.
    Run(run::Settings),
    /// Durable saves of content of many files.
    Content(content::Settings),
    /// Baseline server that saves the content of `content`, as a process that `content` starts.
    #[command(hide = true)]
    ContentByHand(content::baseline::Settings),
    /// Processor time of a computing script, compared with the bare engine.
    Cpu(cpu::Settings),
    /// Script of `cpu` in the bare engine, as a process that `cpu` starts.
    #[command(hide = true)]
    Bare,
    /// Lists of a million processes, by each filter.
    Processes(processes::Settings),
    /// Memory of a server with many projects and idle processes.
    Memory(memory::Settings),
    /// Hostile functions among good ones.
    Hostile(hostile::Settings),
    /// Repeated kills of the server during runs.
    Crash(crash::Settings),
}

/// Runs a part.
pub async fn run(part: &Part) -> anyhow::Result<()> {
    match part {
        Part::Run(settings) => run::run(settings).await,
        Part::Content(settings) => content::run(settings).await,
        Part::ContentByHand(settings) => content::baseline::run(settings).await,
        Part::Cpu(settings) => cpu::run(settings),
        Part::Bare => cpu::bare(),
        Part::Processes(settings) => processes::run(settings).await,
        Part::Memory(settings) => memory::run(settings).await,
        Part::Hostile(settings) => hostile::run(settings).await,
        Part::Crash(settings) => crash::run(settings).await,
    }
}
