//! Graph of an automaton under construction.

/// State that rejects any continuation.
pub const DEAD: usize = 0;
/// State that accepts any continuation.
pub const ALIVE: usize = 1;

/// Graph of an automaton under construction.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Class of each byte.
    pub classes: Vec<u8>,
    /// Number of classes.
    pub class_count: usize,
    /// Start state.
    pub start: usize,
    /// Next state, by state and class.
    pub next: Vec<usize>,
    /// For each state, whether a text may end in it.
    pub accepts: Vec<bool>,
}

impl Graph {
    /// Returns the next state.
    pub fn next_state(&self, state: usize, class: usize) -> usize {
        self.next.get(state * self.class_count + class).copied().unwrap_or(DEAD)
    }

    /// Returns whether a text may end in that state.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepts.get(state).copied().unwrap_or(false)
    }
}
