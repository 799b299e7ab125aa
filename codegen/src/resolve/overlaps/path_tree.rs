//! Paths of one method in a tree of segments, which finds overlapping ones without comparing all of them.

use std::collections::{BTreeSet, HashMap};

use super::super::globs::{Glob, contains, meet};

/// Tree of paths.
#[derive(Debug)]
pub struct PathTree {
    nodes: Vec<Node>,
    added: Vec<Vec<Glob>>,
}

/// Node of the tree.
#[derive(Debug, Default)]
struct Node {
    fixed: HashMap<String, usize>,
    /// Children whose segment is not literal.
    open: Vec<(Glob, usize)>,
    /// Paths that end here.
    ends: Vec<usize>,
    /// True if a path through this node can span any number of segments.
    has_any: bool,
}

/// Overlap with another path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Number of the other path.
    pub other: usize,
    /// Path that both match.
    pub example: String,
}

/// Node that a path may lead to, with the comparison so far.
#[derive(Clone, Copy)]
struct Position {
    node: usize,
    segment: usize,
    /// True if the path is literal where the tree has a variable.
    fixes_more: bool,
}

impl Default for PathTree {
    fn default() -> Self {
        Self { nodes: vec![Node::default()], added: Vec::new() }
    }
}

impl PathTree {
    /// Adds a path, numbered in order. Returns the first earlier path that it overlaps with, unless one of them is a
    /// special case of the other.
    pub fn add(&mut self, path: Vec<Glob>) -> Option<Overlap> {
        let overlap = self.candidates(&path).into_iter().find_map(|other| {
            let known = self.added.get(other)?;
            let example = meet(&path, known)?;
            let special = contains(&path, known) || contains(known, &path);
            (!special).then_some(Overlap { other, example })
        });
        self.insert(&path);
        self.added.push(path);
        overlap
    }

    /// Adds the nodes of a path, which gets the next number.
    fn insert(&mut self, path: &[Glob]) {
        let mut at = 0;
        for (index, glob) in path.iter().enumerate() {
            let next = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else { return };
            node.has_any |= path[index..].contains(&Glob::Any);
            let child = match glob.fixed() {
                Some(text) => *node.fixed.entry(text.to_owned()).or_insert(next),
                None => match node.open.iter().find(|(known, _)| known == glob) {
                    Some((_, child)) => *child,
                    None => {
                        node.open.push((glob.clone(), next));
                        next
                    }
                },
            };
            if child == next {
                self.nodes.push(Node::default());
            }
            at = child;
        }
        if let Some(node) = self.nodes.get_mut(at) {
            node.ends.push(self.added.len());
        }
    }

    /// Returns the paths that may overlap with this one and are not special cases of it segment by segment.
    fn candidates(&self, path: &[Glob]) -> BTreeSet<usize> {
        let mut candidates = BTreeSet::new();
        let mut open = vec![Position { node: 0, segment: 0, fixes_more: false }];
        while let Some(position) = open.pop() {
            let Some(node) = self.nodes.get(position.node) else { continue };
            let rest = path.get(position.segment..).unwrap_or_default();
            let is_special = !position.fixes_more && !node.has_any && rest.iter().all(Glob::is_wildcard);
            match rest.first() {
                _ if is_special => {}
                None => candidates.extend(&node.ends),
                // The exact comparison decides how many segments it takes.
                Some(Glob::Any) => self.gather(position.node, &mut candidates),
                Some(glob) => self.step(position, node, glob, &mut open, &mut candidates),
            }
        }
        candidates
    }

    /// Advances from a node by one segment.
    fn step(
        &self,
        position: Position,
        node: &Node,
        glob: &Glob,
        open: &mut Vec<Position>,
        candidates: &mut BTreeSet<usize>,
    ) {
        let segment = position.segment + 1;
        let mut go = |node: usize, fixes_more: bool| open.push(Position { node, segment, fixes_more });
        match glob.fixed() {
            Some(text) => node.fixed.get(text).into_iter().for_each(|child| go(*child, position.fixes_more)),
            None => {
                let fixed = node.fixed.iter().filter(|(text, _)| glob.matches(text));
                fixed.for_each(|(_, child)| go(*child, position.fixes_more));
            }
        }
        for (known, child) in &node.open {
            if *known == Glob::Any {
                self.gather(*child, candidates);
            } else if known.meet(glob).is_some() {
                go(*child, position.fixes_more || known != glob);
            }
        }
    }

    /// Collects all paths through a node.
    fn gather(&self, node: usize, paths: &mut BTreeSet<usize>) {
        let mut open = vec![node];
        while let Some(node) = open.pop().and_then(|node| self.nodes.get(node)) {
            paths.extend(&node.ends);
            open.extend(node.fixed.values().chain(node.open.iter().map(|(_, child)| child)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a path in which `*` is a variable, and `**` one that spans segments.
    fn globs_of(path: &str) -> Vec<Glob> {
        let glob = |segment: &str| match segment {
            "*" => vec![Glob::Segment(vec![None])],
            "**" => vec![Glob::Any, Glob::Segment(vec![None])],
            text => vec![Glob::of_text(text)],
        };
        path.split('/').skip(1).flat_map(glob).collect()
    }

    #[test]
    fn the_tree_finds_what_a_comparison_of_all_finds() {
        let words = ["a", "b", "*", "**"];
        let all: Vec<String> = words
            .iter()
            .flat_map(|one| words.iter().map(move |two| format!("/{one}/{two}")))
            .flat_map(|path| [path.clone(), format!("{path}/a"), format!("{path}/*")])
            .filter(|path| path.matches("**").count() < 2)
            .collect();
        for first in &all {
            for second in &all {
                let (a, b) = (globs_of(first), globs_of(second));
                let expected = meet(&a, &b).filter(|_| !contains(&a, &b) && !contains(&b, &a));
                let mut paths = PathTree::default();
                assert_eq!(paths.add(a), None);
                assert_eq!(paths.add(b).is_some(), expected.is_some(), "{first} {second}");
            }
        }
    }

    /// The tree must spare ordinary paths a comparison with all others.
    #[test]
    fn few_paths_are_compared() {
        let mut paths = PathTree::default();
        for collection in 0..1000 {
            for path in [format!("/owners/*/things{collection}"), format!("/owners/*/things{collection}/*")] {
                let path = globs_of(&path);
                assert!(paths.candidates(&path).len() <= 1, "{path:?}");
                assert_eq!(paths.add(path), None);
            }
        }
    }
}
