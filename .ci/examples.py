"""Round trips of the examples in OpenAPI documents. Called by .ci/examples, which says more."""

import argparse
import base64
import json
import os
import pathlib
import re
import subprocess

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMATS = jsonschema.FormatChecker(["date"])
DIGITS = re.compile("-?(0|[1-9][0-9]*)")
FORMATS.checks("int32")(lambda value: not isinstance(value, str) or DIGITS.fullmatch(value))
FORMATS.checks("int64")(lambda value: not isinstance(value, str) or DIGITS.fullmatch(value))
FORMATS.checks("byte")(lambda value: not isinstance(value, str) or is_base64(value))
MAIN = """//! Reads an API, a type and an example a line, and prints the example as the type writes it.

use std::io::BufRead as _;

fn round_trip<T: serde::de::DeserializeOwned + serde::Serialize>(text: &str) -> String {
    match serde_json::from_str::<T>(text) {
        Ok(value) => serde_json::to_string(&value).unwrap_or_else(|error| format!("error: {error}")),
        Err(error) => format!("error: {error}"),
    }
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let mut parts = line.splitn(3, '\\t');
        let (api, name, text) = (parts.next(), parts.next(), parts.next().expect("three parts"));
        let written = match (api.expect("an API"), name.expect("a type")) {
%s            _ => "error: no such type".to_owned(),
        };
        println!("{written}");
    }
}
"""


class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    """YAML without dates, which JSON does not have."""


Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:timestamp"]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def is_base64(text):
    """Whether a text is bytes in base64 (RFC 4648), without bits after the last byte."""
    try:
        return base64.b64encode(base64.b64decode(text, validate=True)).decode() == text
    except ValueError:
        return False


def read(path):
    text = path.read_text()
    return json.loads(text) if path.suffix == ".json" else yaml.load(text, Loader)


def converted(schema):
    """A schema of OpenAPI 3.0 in the words of JSON Schema."""
    if isinstance(schema, list):
        return [converted(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: converted(value) for key, value in schema.items()}
    if made.get("nullable") is True:
        made.pop("nullable")
        return {"anyOf": [made, {"type": "null"}]}
    for bound in ("exclusiveMinimum", "exclusiveMaximum"):
        if isinstance(made.get(bound), bool):
            made.pop(bound)
    return made


def examples(holder):
    found = [holder["example"]] if "example" in holder else []
    more = holder.get("examples") or []
    if isinstance(more, dict):
        return found + [one["value"] for one in more.values() if isinstance(one, dict) and "value" in one]
    return found + list(more)


def resolved(document, node):
    while isinstance(node, dict) and str(node.get("$ref", "")).startswith("#/"):
        at = document
        for part in node["$ref"][2:].split("/"):
            at = at.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(at, dict) else {}
        node = at
    return node


def media(document, node, found):
    """The examples beside a schema with a name, wherever there is `content`."""
    if isinstance(node, list):
        for one in node:
            media(document, one, found)
    if not isinstance(node, dict):
        return
    for kind, body in (node.get("content") or {}).items() if isinstance(node.get("content"), dict) else ():
        reference = ((body or {}).get("schema") or {}).get("$ref", "") if isinstance(body, dict) else ""
        if "json" in kind and reference.startswith("#/components/schemas/"):
            beside = {**body, "examples": {k: resolved(document, v) for k, v in (body.get("examples") or {}).items()}}
            found += [(reference.rsplit("/", 1)[1], one) for one in examples(beside)]
    for one in node.values():
        media(document, one, found)


def collect(document):
    """The examples of a document that are values of their schema, each with the name of that schema."""
    found = []
    schemas = (document.get("components") or {}).get("schemas") or {}
    for name, schema in schemas.items():
        found += [(name, one) for one in examples(schema)]
    media(document, document, found)
    components = {"schemas": converted(schemas)}
    kept, refused = [], 0
    for name, value in found:
        schema = {"$ref": f"#/components/schemas/{name}", "components": components}
        validator = jsonschema.Draft202012Validator(schema, format_checker=FORMATS)
        value = next((one for one in readings(value) if is_valid(validator, one)), None)
        if value is None:
            refused += 1
        elif (name, value) not in kept:
            kept.append((name, value))
    return kept, refused


def readings(value):
    """The value itself, and what its text says where that is JSON: an object or a list is meant rather than its text."""
    told = None
    if isinstance(value, str):
        try:
            told = json.loads(value)
        except ValueError:
            pass
    return [told, value] if isinstance(told, (dict, list)) else [value, told]


def is_valid(validator, value):
    try:
        return validator.is_valid(value)
    except Exception:  # a schema that is none
        return False


def plain(name):
    return re.sub(r"[^A-Za-z0-9]", "", name).lower()


def types(crate):
    """The types of a crate, each by its name without the difference that upper case and hyphens make."""
    found = {}
    for path in sorted(crate.glob("src/**/*.rs")):
        for name in re.findall(r"^pub (?:struct|enum) (\w+)", path.read_text(), re.M):
            found.setdefault(plain(name), name)
    return found


def run(work, apis):
    """Builds the program, and gives it the examples of each API."""
    driver = work / "driver"
    (driver / "src").mkdir(parents=True, exist_ok=True)
    needs = "".join(f'{api}-types = {{ path = "../crates/{api}-types" }}\n' for api in apis)
    manifest = '[package]\nname = "examples-driver"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n'
    (driver / "Cargo.toml").write_text(f'{manifest}[dependencies]\nserde = "1"\nserde_json = "1"\n{needs}')
    (driver / "Cargo.lock").write_text((ROOT / "Cargo.lock").read_text())
    arms = "".join(
        f'            ("{api}", "{name}") => round_trip::<{api.replace("-", "_")}_types::{name}>(text),\n'
        for api, kept in apis.items()
        for name in sorted({name for name, _ in kept})
    )
    (driver / "src/main.rs").write_text(MAIN % arms)
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    lines = [f"{api}\t{name}\t{json.dumps(value)}" for api, kept in apis.items() for name, value in kept]
    command = ["cargo", "run", "--quiet", "--manifest-path", str(driver / "Cargo.toml")]
    told = subprocess.run(
        command, input="\n".join(lines) + "\n", text=True, stdout=subprocess.PIPE, check=True,
        env={**os.environ, "CARGO_TARGET_DIR": target},
    )
    return told.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("documents", type=pathlib.Path)
    parser.add_argument("--show", type=int, default=0)
    arguments = parser.parse_args()
    documents = [arguments.documents] if arguments.documents.is_file() else sorted(arguments.documents.rglob("*.*"))
    by_title = {}
    for path in (arguments.work / "schemas").glob("*/api.yaml"):
        by_title[yaml.load(path.read_text(), Loader).get("title")] = path.parent.name
    apis, skipped = {}, {}
    for path in documents:
        document = read(path) if path.suffix in (".json", ".yaml", ".yml") else None
        if not isinstance(document, dict) or "openapi" not in document:
            continue
        api = by_title.get(document["info"]["title"])
        if api is None:
            print(f"{path.name}: no crates were generated")
            continue
        kept, refused = collect(document)
        known = types(arguments.work / "crates" / f"{api}-types")
        apis[api] = [(known[plain(name)], value) for name, value in kept if plain(name) in known]
        skipped[api] = (refused, len(kept) - len(apis[api]))
    told = iter(run(arguments.work, apis))
    total = right = 0
    for api, kept in apis.items():
        wrong = []
        for name, value in kept:
            written = next(told)
            if written.startswith("error: ") or json.loads(written) != value:
                wrong.append((name, json.dumps(value), written))
        total, right = total + len(kept), right + len(kept) - len(wrong)
        print(f"{api}: {len(kept) - len(wrong)} of {len(kept)}; {skipped[api][0]} refused by their schema, "
              f"{skipped[api][1]} without a type")
        for name, value, written in wrong[: arguments.show]:
            print(f"  {name}\n    {value}\n    {written}")
    print(f"{right} of {total} examples come back as they were")
    raise SystemExit(0 if right == total else 1)


main()
