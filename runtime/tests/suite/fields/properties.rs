//! Properties of arbitrary selections.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Returns all paths of a selection that names leaves, by an independent implementation of the grammar.
fn paths(tree: &[Vec<String>]) -> BTreeSet<String> {
    let all: BTreeSet<String> = tree.iter().map(|path| path.join("/")).collect();
    let covered = |path: &str| all.iter().any(|other| path.starts_with(&format!("{other}/")));
    all.iter().filter(|path| !covered(path)).cloned().collect()
}

fn expanded(text: &str) -> Vec<Vec<String>> {
    let (mut done, mut before, mut path) = (Vec::new(), Vec::new(), Vec::<String>::new());
    let mut name = String::new();
    for c in text.chars().chain([',']) {
        match c {
            '/' => path.push(std::mem::take(&mut name)),
            '(' => {
                path.push(std::mem::take(&mut name));
                before.push(path.clone());
            }
            ',' | ')' => {
                if !name.is_empty() {
                    path.push(std::mem::take(&mut name));
                    done.push(path);
                }
                if c == ')' {
                    before.pop();
                }
                path = before.last().cloned().unwrap_or_default();
            }
            other => name.push(other),
        }
    }
    done
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,60}") {
        if let Err(error) = Selection::<Event>::parse(&text) {
            let message = error.to_string();
            prop_assert!(message.len() < 1000 && !message.contains(['\n', '\r']), "{}", message);
            prop_assert!(error.position() <= text.len());
        }
        let _ = include_field(&text, "x");
    }

    #[test]
    fn written_selections_parse(text in r"(id|start|date|parent|settings|[ab*/(),]){1,30}") {
        if let Ok(selection) = Selection::<Event>::parse(&text) {
            let written = selection.to_string();
            prop_assert!(written.len() <= text.len(), "{} {}", text, written);
            let again = Selection::<Event>::parse(&written).unwrap();
            prop_assert_eq!(again.to_string(), written);
            prop_assert_eq!(again, selection);
        }
    }

    #[test]
    fn normalization_preserves_the_selection(
        tree in prop::collection::vec(prop::collection::vec("[a-c]", 1..5), 1..12),
        turned in any::<bool>(),
    ) {
        let wanted: Vec<Vec<String>> =
            tree.into_iter().map(|path| [vec!["settings".to_owned()], path].concat()).collect();
        let text = |path: &Vec<String>| match turned {
            true => path.join("(") + &")".repeat(path.len() - 1),
            false => path.join("/"),
        };
        let texts: Vec<String> = wanted.iter().map(text).collect();
        let selection = Selection::<Event>::parse(&texts.join(",")).unwrap();
        prop_assert_eq!(paths(&expanded(&selection.to_string())), paths(&wanted));
        prop_assert_eq!(expanded(&selection.to_string()).len(), paths(&wanted).len());
    }
}
