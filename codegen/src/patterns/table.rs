//! Automata as tables for generated code.

use std::collections::BTreeSet;

use super::graph::{ALIVE, DEAD, Graph};
use super::minimize::Blocks;

/// Inclusive ranges of bytes, with their classes.
pub type Classes = Vec<(u8, u8, u8)>;

/// Automaton as in generated code; `wireform_validation::__private::pattern::Automaton` documents its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Ranges of bytes with their classes, except class 0.
    pub classes: Classes,
    /// Number of classes.
    pub width: usize,
    /// Start state.
    pub start: u16,
    /// First accepting state.
    pub accepting: u16,
    /// Next state, by state and class.
    pub transitions: Vec<u16>,
}

impl Table {
    /// Creates the table of a graph, given its partition. Accepting states come last, and otherwise states are in the
    /// order of traversal, so that equal patterns have equal tables.
    pub fn new((graph, blocks): &(&Graph, Blocks)) -> Self {
        let (dead, alive) = (blocks.of(DEAD), blocks.of(ALIVE));
        let met = traversal_order(graph, blocks).into_iter().filter(|block| *block != dead && *block != alive);
        let accepts = |block: &usize| graph.is_accepting(blocks.first(*block));
        let (last, first): (Vec<usize>, Vec<usize>) = met.partition(accepts);
        let order: Vec<usize> = [vec![dead, alive], first.clone(), last].concat();
        let mut place = vec![0_u16; blocks.count()];
        for (number, block) in order.iter().enumerate() {
            if let (Some(place), Ok(number)) = (place.get_mut(*block), u16::try_from(number)) {
                *place = number;
            }
        }
        let state = |state: usize| place.get(blocks.of(state)).copied().unwrap_or(0);
        let columns: Vec<Vec<u16>> = (0..graph.class_count)
            .map(|class| order.iter().map(|block| state(graph.next_state(blocks.first(*block), class))).collect())
            .collect();
        let (classes, columns) = merge_classes(&graph.classes, columns);
        Self {
            classes,
            width: columns.len(),
            start: state(graph.start),
            accepting: u16::try_from(first.len() + 2).unwrap_or(u16::MAX),
            transitions: (0..order.len())
                .flat_map(|row| columns.iter().filter_map(move |c| c.get(row).copied()))
                .collect(),
        }
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.transitions.len() / self.width.max(1)
    }

    /// Returns the size of the transitions in bytes.
    pub fn size(&self) -> usize {
        self.transitions.len() * if self.states() <= 256 { 1 } else { 2 }
    }

    /// Returns whether a text matches.
    pub fn is_match(&self, text: &str) -> bool {
        let mut state = self.start;
        for byte in text.bytes() {
            if usize::from(state) <= ALIVE {
                break;
            }
            state = self.next(state, byte);
        }
        self.accepts(state)
    }

    /// Returns the class of a byte.
    pub fn class_of(&self, byte: u8) -> u8 {
        let class = self.classes.iter().find(|(first, last, _)| (*first..=*last).contains(&byte));
        class.map_or(0, |(_, _, class)| *class)
    }

    /// Returns the state after a byte.
    pub fn next(&self, state: u16, byte: u8) -> u16 {
        let place = usize::from(state) * self.width + usize::from(self.class_of(byte));
        self.transitions.get(place).copied().unwrap_or(0)
    }

    /// Returns whether a text may end in a state.
    pub fn accepts(&self, state: u16) -> bool {
        usize::from(state) == ALIVE || state >= self.accepting
    }
}

/// Returns the blocks in the order of a traversal from the start.
fn traversal_order(graph: &Graph, blocks: &Blocks) -> Vec<usize> {
    let start = blocks.of(graph.start);
    let (mut met, mut seen) = (vec![start], BTreeSet::from([start]));
    let mut done = 0;
    while let Some(block) = met.get(done).copied() {
        done += 1;
        for class in 0..graph.class_count {
            let next = blocks.of(graph.next_state(blocks.first(block), class));
            if seen.insert(next) {
                met.push(next);
            }
        }
    }
    met
}

/// Merges classes with equal columns; returns the ranges of bytes, and a column for each class.
fn merge_classes(classes: &[u8], columns: Vec<Vec<u16>>) -> (Classes, Vec<Vec<u16>>) {
    let mut kept: Vec<Vec<u16>> = Vec::new();
    let numbers: Vec<u8> = columns
        .into_iter()
        .map(|column| {
            let place = kept.iter().position(|known| *known == column).unwrap_or_else(|| {
                kept.push(column);
                kept.len() - 1
            });
            u8::try_from(place).unwrap_or(u8::MAX)
        })
        .collect();
    let mut ranges = Classes::new();
    for (byte, class) in (0..=u8::MAX).zip(classes) {
        let class = numbers.get(usize::from(*class)).copied().unwrap_or(0);
        match ranges.last_mut() {
            Some((_, last, known)) if *known == class && *last == byte.wrapping_sub(1) => *last = byte,
            _ => ranges.push((byte, byte, class)),
        }
    }
    ranges.retain(|(_, _, class)| *class != 0);
    (ranges, kept)
}
