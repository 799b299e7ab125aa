//! An automaton as a graph, while it is built.

/// The state that refuses whatever follows.
pub const DEAD: usize = 0;
/// The state that accepts whatever follows.
pub const ALIVE: usize = 1;

/// An automaton while it is built.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The class of each byte.
    pub classes: Vec<u8>,
    /// How many classes there are.
    pub width: usize,
    /// The state to start from.
    pub start: usize,
    /// The next state, by state and class.
    pub next: Vec<usize>,
    /// Whether a text may end in a state.
    pub accepts: Vec<bool>,
}

impl Graph {
    /// Returns the state after this one.
    pub fn after(&self, state: usize, class: usize) -> usize {
        self.next.get(state * self.width + class).copied().unwrap_or(DEAD)
    }

    /// Returns whether a text may end in that state.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepts.get(state).copied().unwrap_or(false)
    }
}
