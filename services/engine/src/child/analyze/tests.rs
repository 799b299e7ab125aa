mod samples;

use samples::{COMMON, FRAGMENTS, REFUSED};

use super::*;

struct Parsers {
    runtime: Runtime,
}

impl Parsers {
    fn new() -> Self {
        Self { runtime: Runtime::new().unwrap() }
    }

    /// Reads a file in both ways; returns whether it is in the common subset.
    fn check(&self, source: &str) -> bool {
        let Some(found) = Reader::new(&self.runtime).functions(source) else { return false };
        let mut alone = Scopes { runtime: &self.runtime, last: None, files: 0 };
        assert_eq!(alone.functions(source), Ok(found), "{source}");
        true
    }
}

#[test]
fn common_files_are_read_as_the_engine_reads_them() {
    let pair = Parsers::new();
    for source in COMMON {
        assert!(pair.check(source), "{source}");
    }
}

#[test]
fn files_that_the_engine_rejects_are_not_accepted() {
    let pair = Parsers::new();
    for source in REFUSED {
        // In a function as well, and after one.
        for source in
            [(*source).to_owned(), format!("function g() {{ {source} }}"), format!("function g() {{}}\n{source}")]
        {
            pair.check(&source);
        }
        let mut alone = Scopes { runtime: &pair.runtime, last: None, files: 0 };
        assert!(alone.functions(source).is_err(), "the engine accepts {source}");
    }
}

#[test]
fn mutations_that_the_engine_rejects_are_not_accepted() {
    let pair = Parsers::new();
    // Numbers without a pattern, the same in each run.
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let (mut read, mut all) = (0, 0);
    for _ in 0..mutations() {
        for source in COMMON {
            let mut source: Vec<char> = source.chars().collect();
            for _ in 0..=random(2) {
                let at = random(source.len());
                let end = (at + random(4) * random(3)).min(source.len());
                let piece = FRAGMENTS[random(FRAGMENTS.len())];
                let piece = if random(4) == 0 { "" } else { piece };
                source.splice(at..end, piece.chars());
            }
            all += 1;
            read += usize::from(pair.check(&source.into_iter().collect::<String>()));
        }
    }
    assert!(read * 20 > all, "{read} of {all} changed files are read without the engine");
}

fn mutations() -> usize {
    std::env::var("MUTATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(300)
}

#[test]
#[ignore = "reads the files of the folder that SCRIPTS names, such as those of test262"]
fn public_files_are_read_as_the_engine_reads_them() {
    let mut folders = vec![std::path::PathBuf::from(std::env::var_os("SCRIPTS").unwrap())];
    let (mut read, mut all) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(source) = std::fs::read_to_string(&path)
                && path.extension().is_some_and(|extension| extension == "js")
            {
                all += 1;
                read += usize::from(Parsers::new().check(&source));
            }
        }
    }
    println!("{read} of {all} files are read without the engine");
}

#[test]
fn the_names_of_the_global_scope_are_known() {
    let runtime = Runtime::new().unwrap();
    let context = Context::custom::<Intrinsics>(&runtime).unwrap();
    let mut names: Vec<String> = context.with(|ctx| globals(&ctx).into_iter().map(|(name, _)| name).collect());
    names.sort_unstable();
    assert_eq!(names, fast_parser::GLOBALS);
}

#[test]
fn misread_templates_need_no_more_stack() {
    let nested = "`${".repeat(200_000);
    let sources = [
        format!("function f(a = b++ / 1, c = '/{nested}') {{}}"),
        format!("function f(a = function () {{ if (x) /{nested}/ }}) {{}}"),
    ];
    let read = move || sources.iter().for_each(|source| drop(fast_parser::parse(source)));
    std::thread::Builder::new().stack_size(1 << 20).spawn(read).unwrap().join().unwrap();
}

#[test]
fn excessive_rereading_is_left_to_the_engine() {
    let again = |within: &str| format!("x = {}{within}{};", "(a=".repeat(7), ")".repeat(7));
    let text = "b".repeat(10_000);
    for within in [format!("\"{text}\""), format!("1 /* {text} */"), format!("1 // {text}\n")] {
        assert!(fast_parser::parse(&again(&within)).is_none(), "{}", &within[..8]);
    }
    assert!(fast_parser::parse(&format!("x = (a = \"{text}\");")).is_some());
}

#[test]
fn too_many_values_or_names_are_left_to_the_engine() {
    let call = |count: usize| format!("f({});", "1,".repeat(count));
    let template = |count: usize| format!("x = `{}`;", "${a}".repeat(count));
    let names = |blocks: usize| {
        let block: String = (0..9_000).map(|at| format!("let a{at};")).collect();
        format!("function f() {{ {} }}", format!("{{ {block} }}").repeat(blocks))
    };
    for (few, many) in [(call(400), call(65_536)), (template(400), template(65_536)), (names(1), names(8))] {
        assert!(fast_parser::parse(&few).is_some(), "{}", &few[..12]);
        assert!(fast_parser::parse(&many).is_none(), "{}", &many[..12]);
    }
}

#[test]
fn deep_files_fit_into_the_stack_of_a_thread() {
    let nests =
        [("[", "]"), ("(", ")"), ("{a:", "}"), ("`${", "}`"), ("f(", ")"), ("a=>", ""), ("!", ""), ("new ", "")];
    let blocks = [("{", "}"), ("if (a) ", ""), ("for (;;) ", ""), ("function f() {", "}"), ("try {", "} finally {}")];
    let patterns = [("[", "]"), ("{a:", "}"), ("{ a = (", ") }")];
    let nest = |(open, close): (&str, &str), inner: &str| {
        [open.repeat(10_000), inner.to_owned(), close.repeat(10_000)].concat()
    };
    let expressions = nests.iter().map(|one| format!("x = {};", nest(*one, "a")));
    let statements = blocks.iter().map(|one| nest(*one, ";"));
    let parameters = patterns.iter().map(|one| format!("function f({}) {{}}", nest(*one, "a")));
    let sources: Vec<String> = expressions.chain(statements).chain(parameters).collect();
    // Half of the stack of a runtime's threads.
    let thread = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(move || sources.iter().filter(|source| fast_parser::parse(source).is_some()).count());
    assert_eq!(thread.unwrap().join().unwrap(), 0);
}
