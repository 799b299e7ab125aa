//! Random resources, enums and unions.

use std::fmt::Write as _;

use crate::fields;
use crate::schema::Schema;

/// An enum with its values.
pub struct Enum {
    pub name: String,
    /// Whether the values are numbers on the wire.
    pub is_number: bool,
    /// Values that clients and servers can both send.
    pub values: Vec<String>,
    body: String,
}

impl Enum {
    /// Creates the enum with an index.
    pub fn new(schema: &mut Schema, index: usize) -> Self {
        let name = format!("Enum{index}");
        let is_number = schema.sometimes();
        let count = 1 + schema.random.below(4);
        let values: Vec<String> = (0..count)
            .map(|value| {
                if is_number {
                    format!("{value}")
                } else {
                    format!("{}{index}{value}", schema.of(&["on", "Off", "self", "x-"]))
                }
            })
            .collect();
        let mut body = format!("  {name}:\n    doc: An enum.\n");
        if is_number {
            let ty = schema.of(&["int32", "int64", "uint32", "uint64", "double", "any"]);
            let _ = writeln!(body, "    type: {ty}");
        }
        if schema.sometimes() {
            let _ = writeln!(body, "    default: {}", values[0]);
        }
        body.push_str("    values:\n");
        for (at, value) in values.iter().enumerate() {
            let more = schema.some(&["deprecated: true", "behavior: [input_only]"]);
            // The first value is one that clients and servers can both send.
            let mut more = if at == 0 { Vec::new() } else { more };
            if at > 0 && more.is_empty() && schema.sometimes() {
                more.push("behavior: [output_only]");
            }
            let name = if is_number { format!(", name: number{value}") } else { String::new() };
            let more: String = more.iter().map(|key| format!(", {key}")).collect();
            let _ = writeln!(body, "      '{value}': {{ doc: A value.{name}{more} }}");
        }
        Self { name, is_number, values: values.into_iter().take(1).collect(), body }
    }
}

/// Writes all resources, enums and unions.
pub fn write(schema: &mut Schema) -> String {
    let mut text = String::from("resources:\n");
    for index in 0..schema.resources.len() {
        resource(schema, index, &mut text);
    }
    text.push_str(SUPPORT);
    if !schema.enums.is_empty() {
        text.push_str("enums:\n");
        schema.enums.iter().for_each(|one| text.push_str(&one.body));
    }
    if !schema.unions.is_empty() {
        text.push_str("unions:\n");
    }
    for index in 0..schema.unions.len() {
        union(schema, index, &mut text);
    }
    text
}

/// Resources on which the operations depend.
const SUPPORT: &str = "  Failure:
    doc: What went wrong.
    external: true
    fields:
      text: { type: string, doc: In words. }
      class: { type: string, doc: As a word. }
      number: { type: int32, doc: As a number. }
      places: { type: [Wrong], doc: The violations. }
  Wrong:
    doc: A violation.
    external: true
    fields:
      rule: { type: string, doc: The rule. }
      text: { type: string, doc: In words. }
      at: { type: Spot, doc: The place. }
  Spot: { doc: A place., external: true, fields: { field: { type: string, doc: The field. } } }
  Form:
    doc: A form.
    external: true
    fields: { text: { type: string, length: ..=9, doc: A text. }, count: { type: int32, doc: A number. } }
  Picture:
    doc: A picture.
    external: true
    fields: { title: { type: string, doc: The title. }, image: { type: file, required: true, doc: The picture. } }
  Filter: { doc: A filter., external: true, fields: { size: { type: int32, doc: The size. }, word: { type: string, doc: A word. } } }
  Work:
    doc: A long-running operation.
    long_running: { name: name, done: done, response: response, error: error, poll: works.get }
    fields:
      name: { type: string, doc: The name. }
      done: { type: bool, doc: Whether it has ended. }
      response: { type: object, doc: The response. }
      error: { type: Failure, doc: The error. }
  Search:
    doc: A search.
    external: true
    fields:
      page: { type: int32, doc: The page. }
      size: { type: uint32, doc: The size. }
  Counted:
    doc: A page with its position.
    external: true
    fields:
      words: { type: [Form], doc: The words. }
      last: { type: bool, doc: Whether it is the last one. }
      page: { type: int32, doc: The page. }
      pages: { type: int64, nullable: true, doc: The pages. }
      total: { type: uint64, doc: The words of all pages. }
  Counts:
    doc: Lists in single fields of a form.
    external: true
    fields:
      words: { type: [string], doc: Words. }
      counts: { type: [int32], doc: Numbers. }
      days: { type: [date], doc: Days. }
  Enclosing: { doc: A page within a resource., external: true, fields: { counted: { type: Counted, doc: The page. } } }
  Page:
    doc: A page.
    external: true
    fields:
      words: { type: [string], doc: The words. }
      next: { type: string, doc: The next page. }
      cursor: { type: string, doc: Where to go on. }
  Outcome:
    doc: An outcome.
    external: true
    outcome: { done: done, success: good, failure: bad }
    fields:
      done: { type: bool, doc: Whether it has ended. }
      good: { type: Form, doc: The result. }
      bad: { type: Failure, doc: The error. }
";

fn resource(schema: &mut Schema, index: usize, text: &mut String) {
    let name = schema.resources[index].clone();
    let _ = writeln!(text, "  {name}:\n    doc: A thing.\n    external: true");
    if schema.sometimes() {
        text.push_str("    kind: random#thing\n");
    }
    match schema.random.below(100) {
        rest if rest < schema.density => {
            let of =
                schema.of(&["string", "{ type: int32, min: 0 }", "[string]", "any", "{ type: string, length: 1.. }"]);
            let _ = writeln!(text, "    rest: {of}");
        }
        rest if rest < 2 * schema.density => text.push_str("    unknown_members: preserve\n"),
        _ => {}
    }
    if schema.sometimes() {
        text.push_str("    deprecated: true\n");
    }
    let fields = fields::all(schema, index);
    text.push_str("    fields:\n");
    for field in &fields {
        let _ = writeln!(text, "      {}: {{ {} }}", field.name, field.body);
    }
    rules(schema, index, &fields, text);
}

/// Writes rules about fields that conditions can name, and the states of enums.
fn rules(schema: &mut Schema, index: usize, fields: &[fields::Field], text: &mut String) {
    let named: Vec<&fields::Field> = fields.iter().filter(|field| field.is_plain_name).collect();
    if let (true, Some((first, last))) = (schema.sometimes(), named.first().zip(named.last())) {
        let severity = if schema.sometimes() { ", severity: warning" } else { "" };
        let reason = if schema.sometimes() { ", reason: lonely" } else { "" };
        let (one, other) = (&first.name, &last.name);
        // Some conditions refer to a field twice, and some conditions on a single field are always true.
        let cel = match schema.random.below(3) {
            0 => format!("!has(this.{one}) || has(this.{other})"),
            1 => format!("!has(this.{one}) || !has(this.{one}) || has(this.{other})"),
            _ => format!("has(this.{one}) ? has(this.{one}) && has(this.{other}) : true"),
        };
        let _ =
            writeln!(text, "    rules: [{{ id: thing{index}.both, cel: '{cel}', message: both{severity}{reason} }}]");
    }
    if let Some(field) = fields.iter().find(|field| field.states).filter(|_| schema.sometimes()) {
        let how = schema.of(&["any", "external", "refused"]);
        let _ = writeln!(text, "    states: {{ {}: {{ transitions: {how} }} }}", field.name);
    }
}

fn union(schema: &mut Schema, index: usize, text: &mut String) {
    let name = &schema.unions[index];
    let _ = writeln!(text, "  {name}:\n    doc: A union.\n    external: true");
    let has_discriminator = schema.random.below(2) == 0;
    if has_discriminator {
        text.push_str("    discriminator: told\n");
    }
    text.push_str("    variants:\n");
    let mut left: Vec<String> = schema.resources.clone();
    for at in 0..1 + schema.random.below(3) {
        if left.is_empty() {
            break;
        }
        let ty = left.swap_remove(schema.random.below(left.len()));
        let _ = writeln!(text, "      variant{at}: {ty}");
    }
    if !has_discriminator {
        let more =
            ["      number: int64\n", "      words: string\n", "      truth: bool\n", "      several: [string]\n"];
        schema.some(&more).into_iter().for_each(|line| text.push_str(line));
    }
}
