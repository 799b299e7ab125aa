//! Automata of conditions: all automata of a pattern at once.

use std::collections::BTreeMap;

use super::graph::{ALIVE, DEAD, Graph};
use super::table::Table;

/// Maximum number of transitions of single automata.
const MAX_STEPS: usize = 4 << 20;

/// Condition on the results of automata, by their index.
#[derive(Clone, Debug)]
pub enum Formula {
    /// The automaton accepts the text.
    Accepts(usize),
    /// All hold.
    All(Vec<Formula>),
    /// One holds.
    Any(Vec<Formula>),
    /// It does not hold.
    Not(Box<Formula>),
}

impl Formula {
    /// Adds the automata of a conjunction, each with whether it must accept; returns whether the formula is one.
    pub fn literals(&self, is_match: bool, found: &mut Vec<(usize, bool)>) -> bool {
        match (self, is_match) {
            (Self::Accepts(index), _) => {
                found.push((*index, is_match));
                true
            }
            (Self::All(all), true) | (Self::Any(all), false) => all.iter().all(|one| one.literals(is_match, found)),
            (Self::Not(one), _) => one.literals(!is_match, found),
            _ => false,
        }
    }

    /// Returns whether the formula holds, given what is known about each automaton; `None` if it depends on others.
    fn decide(&self, known: &dyn Fn(usize) -> Option<bool>) -> Option<bool> {
        // `All` and `Any` are decided by the first member with this value.
        let first = |all: &[Self], decisive: bool| {
            let results: Vec<Option<bool>> = all.iter().map(|one| one.decide(known)).collect();
            if results.contains(&Some(decisive)) {
                return Some(decisive);
            }
            (!results.contains(&None)).then_some(!decisive)
        };
        match self {
            Self::Accepts(index) => known(*index),
            Self::All(all) => first(all, false),
            Self::Any(all) => first(all, true),
            Self::Not(one) => one.decide(known).map(|holds| !holds),
        }
    }
}

/// Returns the automaton of a formula; `None` if it is too large.
pub fn product(tables: &[Table], formula: &Formula, max_states: usize) -> Option<Graph> {
    let signature = |byte: u8| tables.iter().map(|table| table.class_of(byte)).collect::<Vec<u8>>();
    let mut signatures: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut classes = Vec::with_capacity(256);
    let mut representatives = Vec::new();
    for byte in 0..=u8::MAX {
        let next = signatures.len();
        let class = *signatures.entry(signature(byte)).or_insert(next);
        if class == next {
            representatives.push(byte);
        }
        classes.push(u8::try_from(class).ok()?);
    }
    let max_states = max_states.min(MAX_STEPS / representatives.len().max(1) / tables.len().max(1));
    let mut numbers = BTreeMap::new();
    let mut states: Vec<Vec<u16>> = Vec::new();
    let mut number = |state: Vec<u16>, states: &mut Vec<Vec<u16>>| {
        let known = |index: usize| match usize::from(*state.get(index)?) {
            DEAD => Some(false),
            ALIVE => Some(true),
            _ => None,
        };
        match formula.decide(&known) {
            Some(false) => DEAD,
            Some(true) => ALIVE,
            None => *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() + 1
            }),
        }
    };
    let width = representatives.len();
    let start = number(tables.iter().map(|table| table.start).collect(), &mut states);
    let mut next = [vec![DEAD; width], vec![ALIVE; width]].concat();
    let mut accepts = vec![false, true];
    let mut done = 0;
    while let Some(state) = states.get(done).cloned() {
        done += 1;
        if done > max_states {
            return None;
        }
        let accepted = |index: usize| Some(tables.get(index)?.accepts(*state.get(index)?));
        accepts.push(formula.decide(&accepted) == Some(true));
        for byte in &representatives {
            let after = tables.iter().zip(&state).map(|(table, state)| table.next(*state, *byte)).collect();
            next.push(number(after, &mut states));
        }
    }
    Some(Graph { classes, class_count: width, start, next, accepts })
}
