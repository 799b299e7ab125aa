//! Compilation of patterns to tables of automata.

use std::collections::BTreeMap;

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::{Hir, Look};

use super::PatternError;
use super::graph::{ALIVE, DEAD, Graph};
use super::lookaround::Condition;
use super::minimize::minimal;
use super::product::{Formula, product};
use super::table::Table;
use super::utf8;

/// Maximum size of an NFA, in bytes.
const MAX_NFA: usize = 1 << 20;
/// Maximum work of the conversion from NFA to DFA: about the number of visited NFA states, for each state and each class of
/// bytes of the DFA. `\p{Letter}+` needs two millions, and so does the largest of several hundred public patterns.
const MAX_WORK: usize = 8 << 20;
/// Maximum size of a DFA before minimization, in bytes.
const MAX_DFA: usize = 1 << 20;
/// Maximum number of states before minimization.
const MAX_STATES: usize = 10_000;
/// Maximum number of states of a product of automata that can also run one after the other.
const MAX_PRODUCT: usize = 1_000;
/// Maximum size in bytes of a table in generated code.
pub const MAX_TABLE: usize = 64 << 10;

/// Builds an automaton that must match a whole text.
pub fn anchored(hir: Hir) -> Result<Table, PatternError> {
    let whole = Hir::concat(vec![Hir::look(Look::Start), hir, Hir::look(Look::End)]);
    build(&whole, StartKind::Anchored).or_else(|error| {
        let relaxed = utf8::relax(&whole).ok_or(error)?;
        build(&relaxed, StartKind::Anchored)
    })
}

/// Automaton of a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Automaton.
    pub table: Table,
    /// Whether it must accept a text, or reject it.
    pub is_match: bool,
}

/// Builds the automata that decide together about a whole text: one, or those of the parts of a conjunction if their
/// product has many states.
pub fn parts(condition: Condition) -> Result<Vec<Part>, PatternError> {
    let mut tables = Vec::new();
    let formula = match formula(condition, &mut tables)? {
        Formula::Accepts(_) => return Ok(tables.into_iter().map(|table| Part { table, is_match: true }).collect()),
        formula => formula,
    };
    let mut conjunction = Vec::new();
    let is_conjunction = formula.literals(true, &mut conjunction);
    let max_states = if is_conjunction { MAX_PRODUCT } else { MAX_STATES };
    let Some(graph) = product(&tables, &formula, max_states) else {
        let part = |(at, is_match): &(usize, bool)| Some(Part { table: tables.get(*at)?.clone(), is_match: *is_match });
        let parts: Vec<Part> = conjunction.iter().filter_map(part).collect();
        let size = parts.iter().map(|part| part.table.size()).sum::<usize>();
        return if is_conjunction && size <= MAX_TABLE { Ok(parts) } else { Err(PatternError::TooLarge) };
    };
    Ok(vec![Part { table: limited(Table::new(&minimal(&graph)))?, is_match: true }])
}

/// Builds the automata of a condition.
fn formula(condition: Condition, tables: &mut Vec<Table>) -> Result<Formula, PatternError> {
    let mut all = |all: Vec<Condition>| all.into_iter().map(|one| formula(one, tables)).collect::<Result<Vec<_>, _>>();
    Ok(match condition {
        Condition::All(conditions) => Formula::All(all(conditions)?),
        Condition::Any(conditions) => Formula::Any(all(conditions)?),
        Condition::Not(condition) => Formula::Not(Box::new(formula(*condition, tables)?)),
        Condition::Match(hir) => {
            tables.push(anchored(hir)?);
            Formula::Accepts(tables.len() - 1)
        }
    })
}

/// Builds an automaton that searches for a match, and stops at the first one.
pub fn search(hir: &Hir) -> Result<Table, PatternError> {
    build(hir, StartKind::Unanchored)
}

/// Compiles a pattern to its minimal table. The only error is `TooLarge`.
fn build(hir: &Hir, kind: StartKind) -> Result<Table, PatternError> {
    let graph = traverse(&build_dfa(hir, kind).ok_or(PatternError::TooLarge)?, kind).ok_or(PatternError::TooLarge)?;
    limited(Table::new(&minimal(&graph)))
}

fn limited(table: Table) -> Result<Table, PatternError> {
    if table.size() <= MAX_TABLE { Ok(table) } else { Err(PatternError::TooLarge) }
}

/// Builds the automaton with the library. It fails only if a limit is exceeded.
fn build_dfa(hir: &Hir, kind: StartKind) -> Option<dense::DFA<Vec<u32>>> {
    let config = thompson::Config::new().which_captures(WhichCaptures::None).nfa_size_limit(Some(MAX_NFA));
    let nfa: NFA = thompson::Compiler::new().configure(config).build_from_hir(hir).ok()?;
    // A state of the DFA is stored as a list of NFA states, with about a byte for each, which are visited for each class.
    let max_stored = MAX_WORK / nfa.byte_classes().alphabet_len();
    let config = dense::Config::new()
        .accelerate(false)
        .start_kind(kind)
        // Only the existence of a match matters, not which one is first.
        .match_kind(MatchKind::All)
        .determinize_size_limit(Some(max_stored))
        .dfa_size_limit(Some(MAX_DFA));
    dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()
}

/// Traverses the automaton from its start; returns `None` if it is too large.
fn traverse(dfa: &dense::DFA<Vec<u32>>, kind: StartKind) -> Option<Graph> {
    let anchored = if kind == StartKind::Anchored { Anchored::Yes } else { Anchored::No };
    let start = dfa.start_state(&start::Config::new().anchored(anchored)).ok()?;
    let classes = dfa.byte_classes();
    let representatives: Vec<u8> = classes.representatives(0..=255).filter_map(|unit| unit.as_u8()).collect();
    let mut walk = StateNumbering { dfa, numbers: BTreeMap::new(), states: Vec::new() };
    let start = walk.number(start);
    let mut graph = Graph {
        classes: (0..=255).map(|byte| classes.get(byte)).collect(),
        class_count: representatives.len(),
        start,
        next: vec![DEAD; representatives.len()],
        accepts: vec![false, true],
    };
    graph.next.extend(vec![ALIVE; representatives.len()]);
    let mut done = 0;
    while let Some(state) = walk.states.get(done).copied() {
        done += 1;
        if done > MAX_STATES {
            return None;
        }
        graph.accepts.push(dfa.is_match_state(dfa.next_eoi_state(state)));
        for byte in &representatives {
            graph.next.push(walk.number(dfa.next_state(state, *byte)));
        }
    }
    Some(graph)
}

/// Numbers states in the order of the traversal.
struct StateNumbering<'d> {
    dfa: &'d dense::DFA<Vec<u32>>,
    numbers: BTreeMap<StateID, usize>,
    states: Vec<StateID>,
}

impl StateNumbering<'_> {
    /// Returns the number of a state; a new state is numbered and added to those that are still to be visited.
    fn number(&mut self, state: StateID) -> usize {
        // A match is reported one byte late and then is final. With both anchors it is reported only at the end.
        if self.dfa.is_match_state(state) {
            return ALIVE;
        }
        if self.dfa.is_dead_state(state) || self.dfa.is_quit_state(state) {
            return DEAD;
        }
        let states = &mut self.states;
        *self.numbers.entry(state).or_insert_with(|| {
            states.push(state);
            // The first two numbers are reserved.
            states.len() + 1
        })
    }
}
