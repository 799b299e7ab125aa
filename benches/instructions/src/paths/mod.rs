//! Hot paths, each compared with the equivalent code without Wireform.

mod client;
mod generate;
mod json;
mod served;
mod server;
mod validate;

use anyhow::{Result, bail};

/// One of the two compared implementations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Generated code and the runtime.
    Ours,
    /// Handwritten code.
    ByHand,
}

impl Side {
    /// Returns the name of the side on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::ByHand => "by-hand",
        }
    }

    /// Parses the name of a side.
    pub fn parse(name: &str) -> Result<Self> {
        match [Self::Ours, Self::ByHand].into_iter().find(|side| side.name() == name) {
            Some(side) => Ok(side),
            None => bail!("no side `{name}`"),
        }
    }
}

/// Part of a process that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Repetitions on their own thread, after a warm-up.
    Repetitions(u32),
    /// Whole process with all its threads.
    Process,
}

/// Frequently executed code path.
pub struct HotPath {
    /// Name in the file of figures.
    pub name: &'static str,
    /// Counted part.
    pub scope: Scope,
    ours: Run,
    by_hand: Run,
}

/// Runs one side with a number of repetitions.
type Run = fn(u32) -> Result<()>;

impl HotPath {
    const fn new(name: &'static str, repetitions: u32, ours: Run, by_hand: Run) -> Self {
        Self { name, scope: Scope::Repetitions(repetitions), ours, by_hand }
    }

    /// Returns the divisor of the counted instructions.
    pub const fn repetitions(&self) -> u32 {
        match self.scope {
            Scope::Repetitions(repetitions) => repetitions,
            Scope::Process => 1,
        }
    }

    /// Runs one side.
    pub fn run(&self, side: Side) -> Result<()> {
        match side {
            Side::Ours => (self.ours)(self.repetitions()),
            Side::ByHand => (self.by_hand)(self.repetitions()),
        }
    }
}

/// Every path that is counted.
pub const PATHS: &[HotPath] = &[
    HotPath::new("client-call", 100, client::ours, client::by_hand),
    HotPath::new("decode-event", 100, json::decode_event, json::decode_event_by_hand),
    HotPath::new("decode-page", 2, json::decode_page, json::decode_page_by_hand),
    HotPath::new("encode-event", 100, json::encode_event, json::encode_event_by_hand),
    HotPath::new("encode-page", 2, json::encode_page, json::encode_page_by_hand),
    HotPath { scope: Scope::Process, ..HotPath::new("generate", 1, generate::ours, generate::by_hand) },
    HotPath::new("route-get", 100, server::get, server::get_by_hand),
    HotPath::new("route-post", 100, server::post, server::post_by_hand),
    HotPath::new("serve-get", 100, served::get, served::get_by_hand),
    HotPath::new("serve-post", 100, served::post, served::post_by_hand),
    HotPath::new("validate-broken", 100, validate::broken, validate::broken_by_hand),
    HotPath::new("validate-event", 100, validate::ours, validate::by_hand),
];
