//! Engine that does what the names of functions say.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use wireform_script::engine::{Analysis, BoxedFuture, Engine, Exception, Function, FunctionCall, Outcome, SyntaxError};
use wireform_script::host::{Host, Scope, Severity};

fn analysis(source: &str) -> Analysis {
    let found = source.lines().enumerate().filter_map(|(at, line)| {
        if line.contains("!!") {
            let line = u32::try_from(at + 1).unwrap();
            return Some(Err(SyntaxError { message: "unexpected token".to_owned(), line, column: 3 }));
        }
        let (name, rest) = line.strip_prefix("function ")?.split_once('(')?;
        let parameters = rest.split_once(')')?.0.split(',').map(str::trim).filter(|name| !name.is_empty());
        Some(Ok(Function { name: name.to_owned(), parameters: parameters.map(str::to_owned).collect() }))
    });
    found.collect()
}

/// Engine that finds `function name(a, b)` at the beginnings of lines, and does what the name of a function says.
#[derive(Debug)]
pub struct Tame {
    /// Permits for runs of `wait` to continue.
    pub gate: Semaphore,
    pub started: AtomicUsize,
    pub analyzed: AtomicUsize,
}

impl Default for Tame {
    fn default() -> Self {
        Self { gate: Semaphore::new(0), started: AtomicUsize::new(0), analyzed: AtomicUsize::new(0) }
    }
}

impl Engine for Tame {
    fn analyze(&self, files: Vec<(String, String)>) -> BoxedFuture<'_, Result<Vec<Analysis>, String>> {
        self.analyzed.fetch_add(files.len(), Ordering::SeqCst);
        Box::pin(async move { Ok(files.iter().map(|(_, source)| analysis(source)).collect()) })
    }

    fn run(&self, run: FunctionCall, host: Arc<dyn Host>) -> BoxedFuture<'_, Outcome> {
        self.started.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            match run.function.as_str() {
                "echo" => Outcome::Returned(Some(Value::Array(run.parameters))),
                "long" => long(&run.parameters, &*host).await,
                "nothing" => Outcome::Returned(None),
                "code" => Outcome::Returned(Some(described(&run.code))),
                "limits" => {
                    let limits = run.limits;
                    Outcome::Returned(Some(json!([limits.time.as_secs(), limits.memory, limits.output])))
                }
                "ahead" => Outcome::Returned(Some(json!(run.clock_offset_ms))),
                "url" => Outcome::Returned(Some(json!(host.web_app_url().await.unwrap()))),
                "key" => Outcome::Returned(Some(json!(host.temporary_key()))),
                "who" => Outcome::Returned(Some(json!(host.effective_user()))),
                "doGet" => do_get(&run.parameters[0], &*host).await,
                "count" => Outcome::Returned(Some(json!(count(&*host).await))),
                "lock" => {
                    Outcome::Returned(Some(json!(host.lock(Scope::Script, std::time::Duration::ZERO).await.unwrap())))
                }
                "schedule" => {
                    let schedule = serde_json::from_value(run.parameters[0].clone()).unwrap();
                    let function = run.parameters.get(1).and_then(Value::as_str).unwrap_or("fired");
                    let made = host.add_trigger(function.to_owned(), schedule).await;
                    made.map_or_else(
                        |message| Outcome::Threw(Exception::platform(message)),
                        |trigger| Outcome::Returned(Some(json!(trigger.id))),
                    )
                }
                "triggers" => Outcome::Returned(Some(json!(host.triggers().await.unwrap().len()))),
                "slow" => Outcome::TimedOut,
                "untyped" => {
                    Outcome::Threw(Exception { message: "no type".to_owned(), class: None, stack: Vec::new() })
                }
                "wait" | "doPost" => {
                    self.gate.acquire().await.unwrap().forget();
                    Outcome::Returned(None)
                }
                "log" => {
                    host.log(Severity::Info, "before".to_owned());
                    self.gate.acquire().await.unwrap().forget();
                    host.log(Severity::Error, "after".to_owned());
                    Outcome::Returned(None)
                }
                "flood" => {
                    (0..20_000).for_each(|_| host.log(Severity::Debug, String::new()));
                    Outcome::Returned(None)
                }
                "crash" => panic!("the engine has an internal error"),
                name => Outcome::Threw(Exception {
                    message: format!("TypeError: {name}"),
                    class: Some("TypeError".to_owned()),
                    stack: vec![("inner".to_owned(), 3), (name.to_owned(), 7)],
                }),
            }
        })
    }
}

/// Returns a text of a length, as a process would: the host reserves memory for it.
async fn long(parameters: &[Value], host: &dyn Host) -> Outcome {
    let length = parameters.first().and_then(Value::as_u64).unwrap_or(0);
    let value = json!("x".repeat(usize::try_from(length).unwrap()));
    let (memory, text) = (host.memory(), value.to_string());
    if memory.reserve_text(text.len()).await && memory.reserve_values(text.as_bytes()).await {
        return Outcome::Returned(Some(value));
    }
    Outcome::Threw(Exception::platform("no memory"))
}

/// Responds with the users of the run, or as the query string requests.
async fn do_get(event: &Value, host: &dyn Host) -> Outcome {
    let content = match event["queryString"].as_str() {
        Some("schedule") => {
            let schedule = serde_json::from_value(json!({ "every_hours": 1 })).unwrap();
            let made = host.add_trigger("fired".to_owned(), schedule).await;
            made.map_or_else(|refused| refused, |_| "scheduled".to_owned())
        }
        Some("key") => host.temporary_key(),
        Some("long") => match long(&[json!(500 << 10)], host).await {
            Outcome::Returned(Some(Value::String(text))) => text,
            failed => return failed,
        },
        _ => format!("{}|{}", host.active_user(), host.effective_user()),
    };
    Outcome::Returned(Some(json!({ "$output": { "content": content, "mime_type": "text/plain" } })))
}

fn described(code: &wireform_script::engine::Code) -> Value {
    let scripts: Vec<_> = code.scripts.iter().map(|(name, source)| json!([name, source])).collect();
    let libraries: serde_json::Map<String, Value> =
        code.libraries.iter().map(|(name, code)| (name.clone(), described(code))).collect();
    json!({ "scripts": scripts, "libraries": libraries, "zone": code.time_zone })
}

async fn count(host: &dyn Host) -> u64 {
    let mut counts = Vec::new();
    for scope in [Scope::Script, Scope::User] {
        let old = host.properties(scope).await.unwrap().get("n").map_or(0, |n| n.parse().unwrap());
        let new = [("n".to_owned(), Some((old + 1_u64).to_string()))].into();
        host.set_properties(scope, new, false).await.unwrap();
        counts.push(old + 1);
    }
    counts[0] * 100 + counts[1]
}

/// Engine that is shared with the tests.
#[derive(Debug)]
pub struct Shared(pub Arc<Tame>);

impl Engine for Shared {
    fn analyze(&self, files: Vec<(String, String)>) -> BoxedFuture<'_, Result<Vec<Analysis>, String>> {
        self.0.analyze(files)
    }

    fn run(&self, run: FunctionCall, host: Arc<dyn Host>) -> BoxedFuture<'_, Outcome> {
        self.0.run(run, host)
    }
}
