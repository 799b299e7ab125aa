//! Program that decodes, validates and encodes values with the generated types of all documents, in one workspace.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use wireform_codegen::model::Api;
use wireform_codegen::{FileTree, Options, RuntimeDependency, Severity, Source, generate, load};
use wireform_importers::{Loss, openapi};

use crate::document::Document;

/// Beginning of the program; the table of functions follows.
const MAIN: &str = include_str!("program.rs.txt");

/// Folder with the crates and the program.
pub struct Driver {
    dir: PathBuf,
    /// APIs with the indices of the schemas that their crates have.
    apis: BTreeMap<String, Vec<(usize, String)>>,
}

/// Result of sending a value through the generated types.
pub enum Outcome {
    /// JSON that the type writes.
    Written(String),
    /// Message of the error, or of the violations.
    Refused(String),
}

impl Driver {
    /// Creates the driver in a folder.
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), apis: BTreeMap::new() }
    }

    /// Imports a document and writes its crates; returns the losses of the import.
    ///
    /// # Errors
    /// Returns an error if the document cannot be imported, or if its schema is invalid.
    pub fn add(&mut self, document: &Document) -> anyhow::Result<Vec<Loss>> {
        let options = wireform_importers::Options { name: Some(&document.api), ..Default::default() };
        let import = openapi::import_as(&document.value.to_string(), &options, None)?;
        let sources: Vec<Source> = import.files.into_iter().map(|(path, text)| Source::new(path, text)).collect();
        for source in &sources {
            write(&self.dir.join("schemas").join(&document.api).join(&source.path), &source.text)?;
        }
        let Ok(api) = load(&sources) else {
            let output = generate(&sources, &Options::default());
            let errors = output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error);
            bail!("{}", errors.map(|one| one.render(&output.sources, false)).next().unwrap_or_default())
        };
        let runtime = RuntimeDependency::Path(root().join("runtime").to_string_lossy().replace('\\', "/"));
        let files =
            generate(&sources, &Options { runtime, ..Options::default() }).files.context("nothing is generated")?;
        self.write_crates(&files)?;
        let operations = operations(&api);
        // Without operations there can be no crate for validation either.
        if !operations.is_empty() {
            self.apis.insert(document.api.clone(), operations);
        }
        Ok(import.losses)
    }

    /// Removes an API whose crates do not compile.
    pub fn remove(&mut self, api: &str) {
        self.apis.remove(api);
    }

    fn write_crates(&self, files: &FileTree) -> anyhow::Result<()> {
        for (path, text) in files {
            let is_driven =
                path.split('/').next().is_some_and(|name| name.ends_with("-types") || name.ends_with("-validation"));
            if is_driven {
                write(&self.dir.join("crates").join(path), text)?;
            }
        }
        Ok(())
    }

    /// Returns whether the crates of an API have a type for the schema of an index.
    pub fn has(&self, api: &str, index: usize) -> bool {
        self.apis.get(api).is_some_and(|all| all.iter().any(|(own, _)| *own == index))
    }

    /// Returns the APIs whose crates do not compile, with the first error of each.
    pub fn check(&self) -> anyhow::Result<BTreeMap<String, String>> {
        self.write_program()?;
        let output = self.cargo(&["build", "--keep-going", "--message-format", "short"]).output()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let mut failed = BTreeMap::new();
        for line in text.lines().filter(|line| line.contains(": error")) {
            let api = line.strip_prefix("crates/").and_then(|line| line.split('/').next());
            let api = api.and_then(|name| name.rsplit_once('-')).map(|(api, _)| api.to_owned());
            failed.entry(api.unwrap_or_default()).or_insert_with(|| line.to_owned());
        }
        if !output.status.success() && (failed.is_empty() || failed.contains_key("")) {
            bail!("the program does not compile:\n{text}");
        }
        Ok(failed)
    }

    /// Sends values through the types: lines of an API, an index, `request` or `response`, and JSON.
    pub fn run(&self, lines: &[String]) -> anyhow::Result<Vec<Outcome>> {
        self.write_program()?;
        let mut child = self
            .cargo(&["run"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cargo cannot be started")?;
        let mut input = child.stdin.take().context("no standard input")?;
        let text = lines.join("\n") + "\n";
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = child.wait_with_output()?;
        writer.join().map_err(|_| anyhow::anyhow!("the values were not sent"))??;
        let text = String::from_utf8(output.stdout)?;
        let outcome = |line: &str| match line.split_once('\t') {
            Some(("written", json)) => Outcome::Written(json.to_owned()),
            _ => Outcome::Refused(line.trim_start_matches("refused\t").to_owned()),
        };
        let outcomes: Vec<Outcome> = text.lines().map(outcome).collect();
        if outcomes.len() != lines.len() {
            bail!("the program answered {} of {} values", outcomes.len(), lines.len());
        }
        Ok(outcomes)
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(arguments)
            .arg("--quiet")
            .arg("--target-dir")
            .arg(root().join("target/judge/target"))
            .current_dir(&self.dir);
        cargo
    }

    fn write_program(&self) -> anyhow::Result<()> {
        let mut needs = String::new();
        let (mut members, mut arms, mut modules) = (String::new(), String::new(), String::new());
        for (api, operations) in &self.apis {
            let code = api.replace('-', "_");
            for kind in ["types", "validation"] {
                let _ = writeln!(needs, "{api}-{kind} = {{ path = \"crates/{api}-{kind}\" }}");
                let _ = write!(members, "\"crates/{api}-{kind}\", ");
            }
            let _ = writeln!(arms, "        \"{api}\" => {code}::judge(index, is_request, text),");
            let _ = writeln!(modules, "mod {code};");
            let mut module = format!(
                "use {code}_types::requests;\nuse {code}_validation::{{Rules, Validate as _}};\n\npub fn judge(index: &str, is_request: bool, text: &str) -> crate::Judged {{\n    match (index, is_request) {{\n"
            );
            for (index, request) in operations {
                let _ = writeln!(
                    module,
                    "        (\"{index}\", true) => crate::request(text, |body| requests::{request} {{ body }}, |request| request.validate().map(drop)),"
                );
                let _ = writeln!(
                    module,
                    "        (\"{index}\", false) => crate::response::<requests::{request}, _>(text, &Rules),"
                );
            }
            module.push_str("        _ => Err(\"no such schema\".to_owned()),\n    }\n}\n");
            write(&self.dir.join("src").join(format!("{code}.rs")), &module)?;
        }
        let runtime = root().join("runtime");
        let runtime = runtime.display();
        write(
            &self.dir.join("Cargo.toml"),
            &format!(
                "[package]\nname = \"judge-driver\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\nmembers = [{members}]\n\n[profile.dev]\ndebug = false\n\n[dependencies]\nwireform-runtime = {{ path = \"{runtime}\" }}\nwireform-validation = {{ path = \"{runtime}/validation\" }}\n{needs}"
            ),
        )?;
        fs_err::copy(root().join("Cargo.lock"), self.dir.join("Cargo.lock"))?;
        write(&self.dir.join("src/main.rs"), &MAIN.replace("// modules\n", &modules).replace("// arms\n", &arms))
    }
}

/// Returns the operations of the judge whose body is one JSON value, with their request types.
fn operations(api: &Api) -> Vec<(usize, String)> {
    let own = api.operations.iter().filter_map(|operation| {
        let index = operation.name.strip_prefix("judge.value")?.parse().ok()?;
        let body = operation.body.as_ref()?;
        let is_json = body.required && body.alternatives.is_empty() && body.raw().is_none();
        let has_response = operation.responses.first().is_some_and(|response| response.ty.is_some());
        (is_json && has_response && operation.parameters.is_empty()).then(|| (index, operation.types.request.clone()))
    });
    own.collect()
}

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned()
}

/// Writes a file that differs, so that cargo builds only what has changed.
fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    if fs_err::read_to_string(file).is_ok_and(|current| current == text) {
        return Ok(());
    }
    fs_err::create_dir_all(file.parent().unwrap_or(file))?;
    Ok(fs_err::write(file, text)?)
}
