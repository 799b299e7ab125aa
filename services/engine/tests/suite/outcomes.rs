//! Tests of the outcomes of runs.

use serde_json::{Value, json};
use wireform_engine::{Cancellation, Frame, Library, Outcome, Program, ScriptError};

use crate::support::{Recorder, invocation, pool, program, run, server, value};

#[tokio::test]
async fn values_come_back() {
    assert_eq!(run("function f(a, b) { return a + b }", &[json!(2), json!(3)]).await, returned(json!(5)));
    let all = json!([1, -1.5, "é\u{1f600}\n", true, null, {"a": [], "b": {"c": "d"}, "__proto__": 1}]);
    assert_eq!(run("function f(x) { return x }", std::slice::from_ref(&all)).await, returned(all));
    assert_eq!(run("function f() {}", &[]).await, Outcome::Returned(None));
    assert_eq!(run("function f() { return null }", &[]).await, returned(Value::Null));
    assert_eq!(
        value("function f() { return { a: undefined, b: [undefined, , 1] } }").await,
        json!({"b": [null, null, 1]})
    );
    assert_eq!(value("function f() { return '\\ud800\\\\ud800\\udc00' }").await, json!("\u{fffd}\\ud800\u{fffd}"));
    assert_eq!(value("function f() { return -0 }").await, json!(0));
    assert_eq!(value("async function f() { await null; return 7 }").await, json!(7));
}

fn returned(value: Value) -> Outcome {
    Outcome::Returned(Some(value))
}

#[tokio::test]
async fn exceptions_have_kind_message_and_stack() {
    let source = "function f() { g(); }\nfunction g() {\n  throw new TypeError('no');\n}";
    let frame = |function: &str, line| Frame { function: function.to_owned(), file: "Code".to_owned(), line };
    let expected = ScriptError {
        kind: "TypeError".to_owned(),
        message: "no".to_owned(),
        stack: vec![frame("g", 3), frame("f", 1)],
    };
    assert_eq!(run(source, &[]).await, Outcome::Threw(expected));
    for (thrown, message) in
        [("'text'", "text"), ("7", "7"), ("null", "null"), ("Symbol('s')", "Symbol(s)"), ("{a: 1}", "{\"a\":1}")]
    {
        let outcome = run(&format!("function f() {{ throw {thrown} }}"), &[]).await;
        let expected = ScriptError { message: message.to_owned(), ..ScriptError::default() };
        assert_eq!(outcome, Outcome::Threw(expected), "{thrown}");
    }
    let outcome = run("async function f() { await null; throw new RangeError('late') }", &[]).await;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.kind == "RangeError"), "{outcome:?}");
    let outcome = run("function f() {}\nthrow new Error('top')", &[]).await;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.stack == [frame("", 2)]), "{outcome:?}");
}

#[tokio::test]
async fn syntax_errors_have_a_location() {
    let mut broken = program("function f() { return 1 }");
    broken.files.push(server("lib/More", "var a = 1;\nvar b = ];\n"));
    let outcome = pool().run(invocation(broken, &[]), Recorder::silent()).await.outcome;
    let Outcome::Syntax { file, line, column, message } = outcome else { panic!("{outcome:?}") };
    assert_eq!((file.as_str(), line, column), ("lib/More", 2, 9), "{message}");
    // A promise that the script rejects itself is an exception.
    let outcome = run("function f() { eval('(') }", &[]).await;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.kind == "SyntaxError"), "{outcome:?}");
}

#[tokio::test]
async fn only_functions_of_the_program_are_called() {
    let mut call = invocation(program("var notOne = 1; function own() { return 1 } class C {}"), &[]);
    for name in ["missing", "notOne", "eval", "Object", "", "own.x", "Object.keys", "C", "__proto__", "constructor"] {
        call.function = name.to_owned();
        let outcome = pool().run(call.clone(), Recorder::silent()).await.outcome;
        assert_eq!(outcome, Outcome::UnknownFunction, "{name}");
    }
    call.function = "own".to_owned();
    assert_eq!(pool().run(call, Recorder::silent()).await.outcome, returned(json!(1)));
    // A function of the program takes precedence over one of the engine with the same name.
    assert_eq!(
        run("function f() { return parseInt() } function parseInt() { return 'own' }", &[]).await,
        returned(json!("own"))
    );
}

#[tokio::test]
async fn values_without_a_json_form_are_rejected_with_their_location() {
    for (source, expected) in [
        ("{ a: [0, () => 1] }", "a function at result.a[1]"),
        ("new Date()", "a Date at result"),
        ("Symbol('x')", "a symbol at result"),
        ("10n ** 100n", "a bigint at result"),
        ("NaN", "NaN at result"),
        ("[-1/0]", "Infinity at result[0]"),
        ("new Map()", "a Map at result"),
        ("new Error('x')", "an error at result"),
        ("new Proxy({}, {})", "a proxy at result"),
        ("new Promise(() => {})", "a promise that never settles at result"),
        ("(() => { var o = {}; o.o = [o]; return o })()", "a cycle at result.o[0]"),
        ("JSON.parse('['.repeat(101) + ']'.repeat(101))", "the result is nested deeper than 100 levels"),
    ] {
        let outcome = run(&format!("function f() {{ return {source} }}"), &[]).await;
        assert_eq!(outcome, Outcome::NotSerializable(expected.to_owned()), "{source}");
    }
    // A repeated reference is not a cycle.
    assert_eq!(value("function f() { var o = {}; return [o, o] }").await, json!([{}, {}]));
    let outcome = run("function f() { return { get a() { throw new Error('getter') } } }", &[]).await;
    assert!(matches!(&outcome, Outcome::Threw(error) if error.message == "getter"), "{outcome:?}");
}

#[tokio::test]
async fn libraries_have_a_scope_of_their_own() {
    let library = Program {
        files: vec![server(
            "Lib",
            "var count = 0; const hidden = 1; function next() { return ++count + hidden } function bad() { throw new Error('in lib') }",
        )],
        ..Program::default()
    };
    let mut program = program(
        "var count = 10; function f() { return [Lib.next(), Lib.next(), count, typeof next] } function bad() { Lib.bad() }",
    );
    program.libraries.push(Library { symbol: "Lib".to_owned(), program: library });
    let mut call = invocation(program, &[]);
    assert_eq!(pool().run(call.clone(), Recorder::silent()).await.outcome, returned(json!([2, 3, 10, "undefined"])));
    call.function = "Lib.next".to_owned();
    assert_eq!(pool().run(call.clone(), Recorder::silent()).await.outcome, returned(json!(2)));
    call.function = "Lib.none".to_owned();
    assert_eq!(pool().run(call.clone(), Recorder::silent()).await.outcome, Outcome::UnknownFunction);
    call.function = "bad".to_owned();
    let outcome = pool().run(call, Recorder::silent()).await.outcome;
    let Outcome::Threw(error) = outcome else { panic!("{outcome:?}") };
    let files: Vec<_> = error.stack.iter().map(|frame| frame.file.as_str()).collect();
    assert_eq!(files, ["Lib/Lib", "Code"]);
}

#[tokio::test]
async fn runs_share_nothing() {
    let source = "function f() {
        const seen = [typeof globalThis.left, typeof ({}).left, [].map.name, typeof Session.left];
        globalThis.left = Object.prototype.left = 1;
        Array.prototype.map = function mine() {};
        try { Session.left = 1 } catch {}
        return seen }";
    let pool = pool();
    let call = invocation(program(source), &[]);
    let nothing = returned(json!(["undefined", "undefined", "map", "undefined"]));
    for _ in 0..6 {
        let (one, other) =
            tokio::join!(pool.run(call.clone(), Recorder::silent()), pool.run(call.clone(), Recorder::silent()));
        assert_eq!((&one.outcome, &other.outcome), (&nothing, &nothing));
    }
}

#[tokio::test]
async fn runs_are_canceled() {
    let pool = pool();
    let call = invocation(program("function f() { while (true); }"), &[]);
    let cancellation: Cancellation = call.cancellation.clone();
    let (execution, ()) = tokio::join!(pool.run(call, Recorder::silent()), async { cancellation.cancel() });
    assert_eq!(execution.outcome, Outcome::Canceled);
    let call = invocation(program("function f() { while (true); }"), &[]);
    let (execution, ()) = tokio::join!(pool.run(call.clone(), Recorder::silent()), async {
        tokio::task::yield_now().await;
        pool.close().await;
    });
    assert_eq!(execution.outcome, Outcome::Canceled);
    assert_eq!(pool.run(call, Recorder::silent()).await.outcome, Outcome::Canceled, "a closed pool");
}
