//! Limits of depth and length.

use wireform_runtime::fields::{MAX_DEPTH, MAX_SELECTION_LENGTH};

use super::*;

/// Runs a function on a small stack, which neither the depth of a text nor that of a typed selection may exhaust.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn depth_is_bounded() {
    on_a_small_stack(|| {
        let path = |depth: usize| vec!["parent"; depth].join("/");
        let nested = |depth: usize| vec!["parent"; depth].join("(") + &")".repeat(depth - 1);
        let any = |depth: usize| format!("settings/{}", vec!["x"; depth - 1].join("/"));
        for text in [path(MAX_DEPTH), nested(MAX_DEPTH), any(MAX_DEPTH)] {
            Selection::<Event>::parse(&text).unwrap();
        }
        assert_eq!(error_of(&path(MAX_DEPTH + 1)), "more than 32 nested names at byte 224");
        assert_eq!(error_of(&nested(MAX_DEPTH + 1)), "more than 32 nested names at byte 224");
        for text in [path(1000), nested(1000), any(4000), "a(".repeat(4000), "*/".repeat(4000), "(".repeat(8000)] {
            Selection::<Event>::parse(&text).unwrap_err();
            assert!(include_field(&text, "x").ends_with(",x"));
        }
    });
}

#[test]
fn fields_that_are_too_deep_are_selected_completely() {
    on_a_small_stack(|| {
        let mut field = Event::ID;
        for _ in 1..MAX_DEPTH {
            field = Event::PARENT.select([field]);
        }
        let deepest = Selection::from(field.clone()).to_string();
        assert_eq!(deepest, "parent/".repeat(MAX_DEPTH - 1) + "id");
        assert_eq!(Selection::from(Event::PARENT.select([field])).to_string(), "parent");

        let mut field = Event::ID;
        for _ in 1..MAX_DEPTH {
            field = Event::RELATED.select([field]);
        }
        // Each of these has two names; `*` at the end selects nothing in addition to the name before it.
        assert_eq!(Selection::from(field.clone()).to_string(), "related/*/".repeat(MAX_DEPTH / 2 - 1) + "related");
        for _ in 0..10_000 {
            field = Event::PARENT.select([field]);
        }
        Selection::<Event>::parse(&Selection::from(field).to_string()).unwrap();
    });
}

#[test]
fn length_is_bounded() {
    let longest = "id,".repeat(MAX_SELECTION_LENGTH / 3) + "id";
    assert_eq!(longest.len(), MAX_SELECTION_LENGTH);
    assert_eq!(canonical(&longest), "id");
    assert_eq!(error_of(&format!("{longest} ")), "longer than 8192 bytes");
    let wide: Vec<String> = (0..1000).map(|key| format!("k{key:03}")).collect();
    assert_eq!(canonical(&format!("labels({})", wide.join(","))).len(), "labels()".len() + 1000 * 5 - 1);
    let long = error_of(&"\u{202e}".repeat(2000));
    assert!(long.len() < 700 && long.ends_with("…` at byte 0"), "{long}");
    let below = error_of(&format!("labels/{}/{}", "a".repeat(3000), "b".repeat(3000)));
    assert!(below.len() < 250, "{below}");
}
