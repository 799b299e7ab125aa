//! Lints of the compiler that emitted code could have, found without compiling it: unused imports, and names in the wrong
//! case. All cases are emitted as they are, and with each operation as the only one that a server implements.

use wireform_codegen::model::Api;
use wireform_codegen::{FileTree, Options, Source, emit, load, render};
use wireform_emitted::{folders, root, sources};

/// Emits the crates of an API whose paths contain a text.
fn emit_crates(api: &Api, sources: &[Source], path: &str) -> FileTree {
    let options = Options::default();
    let mut artifacts = emit::emit(api, sources, &options);
    artifacts.retain(|artifact| artifact.path.contains(path) && artifact.path.ends_with(".rs"));
    render::render(&artifacts, &options)
}

/// Returns the statements that begin with a keyword, without attributes, and whether an attribute precedes each.
fn imports(code: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let (mut is_allowed, mut open) = (false, None::<String>);
    for line in code.lines() {
        if let Some(text) = &mut open {
            text.push_str(line.trim());
        } else if line.trim_start().starts_with("use ") {
            open = Some(line.trim().to_owned());
        } else {
            is_allowed = line.trim_start().starts_with("#[") || is_allowed && !line.ends_with([';', '}', '{']);
        }
        if let Some(text) = open.take_if(|text| text.ends_with(';')) {
            found.push((text, std::mem::take(&mut is_allowed)));
        }
    }
    found
}

/// Returns the words of a text; `'static` and `r#type` are words of their own.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && !"_'#".contains(c)).filter(|word| !word.is_empty())
}

/// Returns the names that an import brings into scope.
fn imported(import: &str) -> Vec<&str> {
    let parts = import.trim_start_matches("use ").split(['{', '}', ',', ';']);
    let last = parts.filter(|part| !part.ends_with("::")).filter_map(|part| words(part).last());
    last.filter(|word| *word != "_" && *word != "self").collect()
}

/// Returns code without comments and without the content of texts.
fn without_comments(code: &str) -> String {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let lines = lines.map(|line| line.split(" // ").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    lines.replace("\\\\", "").replace("\\\"", "").split('"').step_by(2).collect()
}

/// Returns the unused imports of a file. A name that occurs elsewhere counts as used, also in other files that import it
/// from this one.
fn unused_imports(code: &str, others: &str) -> Vec<String> {
    let plain = without_comments(code);
    let all = imports(&plain);
    let uses = |name: &str| {
        let within: usize = all.iter().map(|(text, _)| words(text).filter(|word| *word == name).count()).sum();
        words(&plain).filter(|word| *word == name).count() > within || words(others).any(|word| word == name)
    };
    let checked = all.iter().filter(|(text, is_allowed)| !is_allowed && !text.contains('*'));
    checked.flat_map(|(text, _)| imported(text)).filter(|name| !uses(name)).map(str::to_owned).collect()
}

/// Returns the declared names in the wrong case: `__` within a name, and letters in the wrong case.
fn miscased_names(code: &str) -> Vec<String> {
    let plain = without_comments(code);
    let allows_constants = plain.contains("non_upper_case_globals");
    let mut found = Vec::new();
    let mut previous = "";
    for word in words(&plain) {
        let name = word.trim_matches('_');
        let is_right = match previous {
            // A name in upper case after `let` is a pattern, and after `mut` a type.
            "let" | "mut" if name.starts_with(|c: char| c.is_ascii_uppercase()) => true,
            "fn" | "mod" | "let" | "mut" => !name.contains("__") && !name.contains(|c: char| c.is_ascii_uppercase()),
            "struct" | "enum" | "trait" | "type" => is_upper_camel_case(name),
            "const" | "static" => {
                allows_constants
                    || matches!(word, "fn" | "_" | "mut")
                    || !name.contains(|c: char| c.is_ascii_lowercase())
            }
            _ => true,
        };
        if !is_right {
            found.push(word.to_owned());
        }
        previous = word;
    }
    found
}

/// Returns whether the compiler accepts the name of a type: an underscore has digits on both sides.
fn is_upper_camel_case(name: &str) -> bool {
    let parts: Vec<&str> = name.split('_').collect();
    let is_between_digits = |pair: &[&str]| {
        pair[0].ends_with(|c: char| c.is_ascii_digit()) && pair[1].starts_with(|c: char| c.is_ascii_digit())
    };
    !name.starts_with(|c: char| c.is_ascii_lowercase()) && parts.windows(2).all(is_between_digits)
}

/// Returns a line for each lint of the files.
fn lints(files: &FileTree, variation: &str) -> Vec<String> {
    let line = |path: &str, kind: &str, name: String| format!("{path}{variation}: {kind} `{name}`");
    let in_file = |(path, code): (&String, &String)| {
        // Other modules import names from the root of the crate.
        let root = path.strip_suffix("/lib.rs").unwrap_or("no crate");
        let others = files.iter().filter(|(other, _)| other.starts_with(root) && *other != path);
        let others: String = others.map(|(_, code)| without_comments(code)).collect();
        let unused = unused_imports(code, &others).into_iter().map(|name| line(path, "unused import", name));
        unused.chain(miscased_names(code).into_iter().map(|name| line(path, "wrong case of", name))).collect::<Vec<_>>()
    };
    files.iter().flat_map(in_file).collect()
}

/// Returns the APIs of all cases with their sources.
fn cases() -> impl Iterator<Item = (Api, Vec<Source>)> {
    folders(&root().join("tests/cases")).into_iter().map(|dir| {
        let sources = sources(&dir);
        let api = load(&sources).unwrap_or_else(|output| panic!("{}: {:?}", dir.display(), output.diagnostics));
        (api, sources)
    })
}

#[test]
fn emitted_code_has_no_unused_imports_and_no_names_in_the_wrong_case() {
    let found: Vec<String> = cases().flat_map(|(api, sources)| lints(&emit_crates(&api, &sources, ""), "")).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn servers_of_no_operation_or_a_single_one_have_no_unused_imports() {
    let mut found = Vec::new();
    for (mut api, sources) in cases() {
        api.operations.iter_mut().for_each(|operation| operation.client_only = true);
        found.extend(lints(&emit_crates(&api, &sources, "-server/"), ", without operations"));
        for index in 0..api.operations.len() {
            api.operations[index].client_only = false;
            let variation = format!(", with `{}` only", api.operations[index].name);
            found.extend(lints(&emit_crates(&api, &sources, "-server/"), &variation));
            api.operations[index].client_only = true;
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn lints_are_found() {
    let code = "use a::{b, c as d};\nuse e::F;\n#[allow(unused_imports)]\nuse g;\npub use h;\nfn b__c() {\n    let bB = F(b);\n}\nstruct a;\nconst c: u8 = 1;\n";
    assert_eq!(unused_imports(code, ""), ["d"]);
    assert_eq!(miscased_names(code), ["b__c", "bB", "a", "c"]);
}
