//! Minimization of automata (Hopcroft, 1971).

use super::graph::Graph;

/// Partition of the states into equivalence classes (blocks).
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Block of each state.
    of: Vec<usize>,
    /// States of each block, in order.
    states: Vec<Vec<usize>>,
}

impl Blocks {
    /// Returns the block of a state.
    pub fn of(&self, state: usize) -> usize {
        self.of.get(state).copied().unwrap_or(0)
    }

    /// Returns the first state of a block.
    pub fn first(&self, block: usize) -> usize {
        self.states.get(block).and_then(|states| states.first()).copied().unwrap_or(0)
    }

    /// Returns the number of blocks.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Splits a block into the states that are in `marked`, which is sorted, and the others. Returns the new block,
    /// if both are non-empty.
    fn split(&mut self, block: usize, marked: &[usize]) -> Option<usize> {
        let states = self.states.get_mut(block)?;
        if marked.len() == states.len() {
            return None;
        }
        states.retain(|state| marked.binary_search(state).is_err());
        let new = self.states.len();
        for state in marked {
            *self.of.get_mut(*state)? = new;
        }
        self.states.push(marked.to_vec());
        Some(new)
    }

    /// Returns the number of states of a block.
    fn len(&self, block: usize) -> usize {
        self.states.get(block).map_or(0, Vec::len)
    }
}

/// Returns the graph with its minimal partition.
pub fn minimal(graph: &Graph) -> (&Graph, Blocks) {
    let all = 0..graph.accepts.len();
    let (accepting, others): (Vec<usize>, Vec<usize>) = all.clone().partition(|state| graph.is_accepting(*state));
    // Both blocks are non-empty because of the states that accept and reject any continuation.
    let of = all.map(|state| usize::from(graph.is_accepting(state))).collect();
    let mut blocks = Blocks { of, states: vec![others, accepting] };
    let before = predecessors(graph);
    let mut waiting = PendingSplitters::default();
    (0..graph.class_count).flat_map(|class| [(0, class), (1, class)]).for_each(|pair| waiting.add(pair));
    while let Some((splitter, class)) = waiting.next() {
        let mut into: Vec<(usize, usize)> = blocks
            .states
            .get(splitter)
            .into_iter()
            .flatten()
            .flat_map(|state| before.of(state * graph.class_count + class))
            .map(|state| (blocks.of(*state), *state))
            .collect();
        into.sort_unstable();
        for run in into.chunk_by(|a, b| a.0 == b.0) {
            let marked: Vec<usize> = run.iter().map(|(_, state)| *state).collect();
            let Some((block, _)) = run.first().copied() else { continue };
            let Some(new) = blocks.split(block, &marked) else { continue };
            // The smaller half is sufficient unless the whole block is pending; then both halves must be pending.
            for class in 0..graph.class_count {
                let smaller = if blocks.len(new) <= blocks.len(block) { new } else { block };
                let half = if waiting.has((block, class)) { new } else { smaller };
                waiting.add((half, class));
            }
        }
    }
    (graph, blocks)
}

/// Pending splitters: blocks, each with a class.
#[derive(Default)]
struct PendingSplitters {
    pairs: Vec<(usize, usize)>,
    /// By block and class, whether it is pending.
    known: Vec<Vec<bool>>,
}

impl PendingSplitters {
    /// Returns the flag of a pair of block and class, after growing the table to contain it.
    fn flag(&mut self, (block, class): (usize, usize)) -> Option<&mut bool> {
        if self.known.len() <= block {
            self.known.resize(block + 1, Vec::new());
        }
        let flags = self.known.get_mut(block)?;
        if flags.len() <= class {
            flags.resize(class + 1, false);
        }
        flags.get_mut(class)
    }

    /// Adds a pair of block and class, unless it is already pending.
    fn add(&mut self, pair: (usize, usize)) {
        if self.flag(pair).is_some_and(|flag| !std::mem::replace(flag, true)) {
            self.pairs.push(pair);
        }
    }

    /// Returns whether a pair of block and class is pending.
    fn has(&self, (block, class): (usize, usize)) -> bool {
        self.known.get(block).and_then(|flags| flags.get(class)).copied().unwrap_or(false)
    }

    fn next(&mut self) -> Option<(usize, usize)> {
        let pair = self.pairs.pop()?;
        if let Some(flag) = self.flag(pair) {
            *flag = false;
        }
        Some(pair)
    }
}

/// Predecessors of each state, by state and class, in concatenated lists.
struct Predecessors {
    states: Vec<usize>,
    /// Start of each list, and the end of the last one.
    begins: Vec<usize>,
}

impl Predecessors {
    /// Returns the predecessors at `state * class_count + class`.
    fn of(&self, place: usize) -> &[usize] {
        let bounds = self.begins.get(place).zip(self.begins.get(place + 1));
        bounds.and_then(|(first, end)| self.states.get(*first..*end)).unwrap_or(&[])
    }
}

/// Inverts the transitions of a graph, by a counting sort.
fn predecessors(graph: &Graph) -> Predecessors {
    let mut begins = vec![0; graph.next.len() + 1];
    let edges = || {
        let classes =
            (0..graph.accepts.len()).flat_map(|state| (0..graph.class_count).map(move |class| (state, class)));
        classes.map(|(state, class)| (state, graph.next_state(state, class) * graph.class_count + class))
    };
    // First the length of each list, at the index after it; then prefix sums.
    for (_, place) in edges() {
        if let Some(length) = begins.get_mut(place + 1) {
            *length += 1;
        }
    }
    let mut sum = 0;
    for begin in &mut begins {
        sum += *begin;
        *begin = sum;
    }
    let mut states = vec![0; sum];
    let mut ends = begins.clone();
    for (state, place) in edges() {
        if let Some(end) = ends.get_mut(place)
            && let Some(free) = states.get_mut(*end)
        {
            *free = state;
            *end += 1;
        }
    }
    Predecessors { states, begins }
}
