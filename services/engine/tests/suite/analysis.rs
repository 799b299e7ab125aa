//! Tests of finding the functions of files.

use wireform_engine::{Analysis, Function, Outcome, Pool, Settings, SyntaxError};

use crate::samples::{COMMON, REFUSED};
use crate::support::{Recorder, child, html, invocation, pool, program, server};

async fn analyze(source: &str) -> Analysis {
    pool().analyze(vec![server("Code", source)]).await.unwrap().remove(0)
}

async fn names(source: &str) -> Vec<String> {
    let functions = analyze(source).await.unwrap();
    functions.into_iter().map(|one| format!("{}({})", one.name, one.parameters.join(", "))).collect()
}

#[tokio::test]
async fn functions_of_the_top_level_are_listed() {
    let source = "/** Doc. */\nfunction a(x, y = 1, {z}, ...more) {}\nasync function b() {}\nfunction* c() {}
        async function* d() {}\nvar e = function () {}, g = () => 1;\nclass C { m() {} }\nif (true) { function inner() {} }
        function outer() { function nested() {} }\nconst h = 1;\nlet i;";
    assert_eq!(names(source).await, ["a(x, y, {z}, more)", "b()", "c()", "d()", "outer()"]);
    assert_eq!(names("function a(x) {}\nfunction b() {}\nfunction a(y) {}").await, ["a(y)", "b()"], "the last counts");
    assert_eq!(names("function parseInt(own) {}").await, ["parseInt(own)"], "a name of the engine");
    assert_eq!(names("").await, Vec::<String>::new());
    assert_eq!(names("while (true);\nfunction f() {}").await, ["f()"], "no code runs");
    assert_eq!(names("'use strict';\nfunction f(a) {}").await, ["f(a)"]);
    assert_eq!(names("function Logger() {}").await, ["Logger()"], "a name of the platform");
}

#[tokio::test]
async fn literals_of_every_kind_are_parsed() {
    let literals =
        "/(?<year>\\d{4})/dgimsuy, /[\\p{L}--[a-z]]/v, 10n ** 20n, `a${1}`, null ?? 1, {...{}}, async () => await 1";
    let source = format!("function f() {{ return [{literals}]; }}\nvar all = [{literals}];");
    assert_eq!(names(&source).await, ["f()"]);
}

#[tokio::test]
async fn files_are_listed_one_by_one() {
    let files = vec![
        server("A", "function a() {} let x;"),
        html("B", "<?"),
        server("C", "]"),
        server("D", "let x; function d() {}"),
    ];
    let all = pool().analyze(files).await.unwrap();
    let own = |name: &str| Ok(vec![Function { name: name.to_owned(), parameters: Vec::new() }]);
    assert_eq!((&all[0], &all[1], &all[3]), (&own("a"), &Ok(Vec::new()), &own("d")));
    assert!(all[2].is_err());
}

#[tokio::test]
async fn constructs_of_the_language_are_accepted_and_invalid_files_refused() {
    let pool = pool();
    let files = |sources: &[&str]| sources.iter().map(|source| server("F", source)).collect();
    for (source, analysis) in COMMON.iter().zip(pool.analyze(files(COMMON)).await.unwrap()) {
        assert!(analysis.is_ok(), "{source}: {analysis:?}");
    }
    for (source, analysis) in REFUSED.iter().zip(pool.analyze(files(REFUSED)).await.unwrap()) {
        assert!(analysis.is_err(), "{source}: {analysis:?}");
    }
}

#[tokio::test]
async fn files_do_not_disturb_each_other() {
    let sources = [
        ("function a() {} let x = 1; class C {}", "a"),
        ("function x(own) {} const y = 1;", "x"),
        ("function C() {} function a(again) {}", "C a"),
        ("var a; let y; function b() {}", "b"),
        ("'use strict'; function c() {}", "c"),
        ("function Object(o) {} function Promise() {}", "Object Promise"),
        ("async function d() { return await 1 }", "d"),
        ("function ]", ""),
        ("function b(b) {} const b2 = 1;", "b"),
        ("var f = function () {}; const a = 1;", ""),
    ];
    // The functions of each file are found in any order of the files, and for the file alone.
    for turn in 0..sources.len() {
        let mut turned = sources.to_vec();
        turned.rotate_left(turn);
        let files = turned.iter().map(|(source, _)| server("F", source)).collect();
        let all = pool().analyze(files).await.unwrap();
        for ((source, expected), analysis) in turned.iter().zip(all) {
            assert_eq!(analysis, analyze(source).await, "{source}");
            let names: Vec<_> = analysis.unwrap_or_default().into_iter().map(|one| one.name).collect();
            assert_eq!(names.join(" "), *expected, "{source}");
        }
    }
}

#[tokio::test]
async fn an_analysis_does_not_wait_for_runs() {
    let pool = Pool::new(Settings { command: vec![child().into()], idle: 2, concurrent: 1 });
    let endless = invocation(program("function f() { console.log('here'); while (true); }"), &[]);
    let cancellation = endless.cancellation.clone();
    let host = Recorder::silent();
    let (execution, all) = tokio::join!(pool.run(endless, host.clone()), async {
        while host.messages().is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let all = pool.analyze(vec![server("A", "function a() {}")]).await;
        cancellation.cancel();
        all
    });
    assert_eq!(execution.outcome, Outcome::Canceled, "it was never interrupted");
    assert!(all.is_some_and(|all| all[0].is_ok()));
}

#[tokio::test]
async fn syntax_errors_have_a_location() {
    let place = |analysis: Analysis| analysis.map_err(|SyntaxError { line, column, .. }| (line, column));
    assert_eq!(place(analyze("var a = ];").await), Err((1, 9)));
    assert_eq!(place(analyze("\n  var a = ];").await), Err((2, 11)));
    assert_eq!(place(analyze("let a; let a;").await).unwrap_err().0, 1);
    for source in [
        "'use strict'; with (a) {}",
        "import 'fs'",
        "await 1",
        "return 1",
        "function f( {}",
        "function undefined() {}",
        "f(`",
    ] {
        let analysis = analyze(source).await;
        assert!(analysis.is_err(), "{source}: {analysis:?}");
    }
    let message = analyze("]").await.unwrap_err().message;
    assert!(!message.is_empty());
}

#[tokio::test]
async fn parser_bombs_are_harmless() {
    let deep = format!("var a = {}{};", "[".repeat(200_000), "]".repeat(200_000));
    assert!(analyze(&deep).await.is_err());
    let pool = pool();
    let many = (0..1000).map(|index| server("F", &format!("function f{index}(a) {{ return a }}"))).collect();
    assert_eq!(pool.analyze(many).await.unwrap().len(), 1000);
    // A long file is not a deep one.
    let long = "var a = [1,2,3,4,5,6,7];\n".repeat(40_000);
    assert_eq!(pool.analyze(vec![server("Code", &long)]).await.unwrap(), [Ok(Vec::new())]);
}

#[tokio::test]
async fn values_names_and_templates_without_number_are_harmless() {
    let blocks = |count: usize| {
        let block: String = (0..9_000).map(|number| format!("let a{number};")).collect();
        format!("function f() {{ {} }}", format!("{{ {block} }}").repeat(count))
    };
    let nested = "`${".repeat(200_000);
    for source in [
        format!("f({});", "1,".repeat(65_536)),
        format!("x = `{}`;", "${a}".repeat(65_536)),
        blocks(1),
        format!("function f(a = b++ / 1, c = '/{nested}') {{}}"),
        format!("function f(a = function () {{ if (x) /{nested}/ }}) {{}}"),
        format!("x = {}1{};", "(a=".repeat(10_000), ")".repeat(10_000)),
        format!("function f({}a{}) {{}}", "{a:".repeat(10_000), "}".repeat(10_000)),
    ] {
        assert!(pool().analyze(vec![server("Code", &source)]).await.is_some(), "{}", &source[..20]);
    }
}

#[tokio::test]
async fn programs_of_several_megabytes_are_listed() {
    let source = |number: usize| format!("function f{number}(a, b) {{\n  return a + b;\n}}\n").repeat(25_000);
    let files = (0..4).map(|number| server("F", &source(number))).collect();
    let all = pool().analyze(files).await.unwrap();
    assert!(all.iter().all(|analysis| analysis.as_ref().is_ok_and(|functions| functions.len() == 1)));
}

#[tokio::test]
async fn long_files_are_divided_and_keep_their_order() {
    let pool = pool();
    let filler = "// filler\n".repeat(2_000);
    let source = |number: usize| format!("function f{number}() {{}}\n{}", filler.repeat(number % 3));
    let files = |count| {
        let file = |number: usize| server(&number.to_string(), &source(number));
        (0..count).map(file).collect::<Vec<_>>()
    };
    let all = pool.analyze(files(40)).await.unwrap();
    let names: Vec<_> = all.into_iter().map(|analysis| analysis.unwrap()[0].name.clone()).collect();
    assert_eq!(names, (0..40).map(|number| format!("f{number}")).collect::<Vec<_>>());
    let mut last = files(2);
    last[1].source = "// filler\n".repeat(100_000);
    assert_eq!(pool.analyze(last).await.unwrap().len(), 2, "the longest file is the last");
    pool.close().await;
}

#[tokio::test]
async fn files_that_declare_more_than_they_are_long_are_listed() {
    let names = |count: usize| (0..count).map(|number| format!("a{number}")).collect::<Vec<_>>();
    for (functions, parameters) in [(20_000, 0), (100, 1_000), (1, 9_000)] {
        let list = names(parameters).join(",");
        let source = names(functions).iter().map(|name| format!("function {name}({list}){{}}")).collect::<String>();
        let found = analyze(&source).await.unwrap();
        assert_eq!((found.len(), found[0].parameters.len()), (functions, parameters));
    }
}
