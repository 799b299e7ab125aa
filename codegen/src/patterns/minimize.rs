//! Finds the states of an automaton that no text tells apart (Hopcroft, 1971).

use std::collections::BTreeSet;

use super::table::Graph;

/// Sets of states that no text tells apart.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The block of each state.
    of: Vec<usize>,
    /// The states of each block, in order.
    states: Vec<Vec<usize>>,
}

impl Blocks {
    /// The block of a state.
    pub fn of(&self, state: usize) -> usize {
        self.of.get(state).copied().unwrap_or(0)
    }

    /// The first state of a block.
    pub fn first(&self, block: usize) -> usize {
        self.states.get(block).and_then(|states| states.first()).copied().unwrap_or(0)
    }

    /// How many blocks there are.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Splits a block into the states that are in `marked`, which is sorted, and the others. The new block, if both
    /// are left with some.
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

    fn len(&self, block: usize) -> usize {
        self.states.get(block).map_or(0, Vec::len)
    }
}

/// The graph with its states put into blocks.
pub fn minimal(graph: &Graph) -> (&Graph, Blocks) {
    let all = 0..graph.accepts.len();
    let (accepting, others): (Vec<usize>, Vec<usize>) = all.clone().partition(|state| graph.is_accepting(*state));
    // There is always one of each: the states that accept and refuse whatever follows.
    let of = all.map(|state| usize::from(graph.is_accepting(state))).collect();
    let mut blocks = Blocks { of, states: vec![others, accepting] };
    let before = predecessors(graph);
    let mut waiting: BTreeSet<(usize, usize)> = (0..graph.width).flat_map(|class| [(0, class), (1, class)]).collect();
    while let Some((splitter, class)) = waiting.pop_last() {
        let mut into: Vec<(usize, usize)> = blocks
            .states
            .get(splitter)
            .into_iter()
            .flatten()
            .flat_map(|state| before.get(state * graph.width + class).into_iter().flatten())
            .map(|state| (blocks.of(*state), *state))
            .collect();
        into.sort_unstable();
        for run in into.chunk_by(|a, b| a.0 == b.0) {
            let marked: Vec<usize> = run.iter().map(|(_, state)| *state).collect();
            let Some((block, _)) = run.first().copied() else { continue };
            let Some(new) = blocks.split(block, &marked) else { continue };
            // The smaller half is enough where the whole is not waiting; where it is, both halves have to wait.
            for class in 0..graph.width {
                let smaller = if blocks.len(new) <= blocks.len(block) { new } else { block };
                let half = if waiting.contains(&(block, class)) { new } else { smaller };
                waiting.insert((half, class));
            }
        }
    }
    (graph, blocks)
}

/// The states from which each state is reached, by state and class.
fn predecessors(graph: &Graph) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); graph.next.len()];
    for state in 0..graph.accepts.len() {
        for class in 0..graph.width {
            if let Some(list) = before.get_mut(graph.after(state, class) * graph.width + class) {
                list.push(state);
            }
        }
    }
    before
}
