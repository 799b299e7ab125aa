//! Random schemas as a whole.

use std::fmt::Write as _;

use crate::operations;
use crate::random::Random;
use crate::types;

/// A schema under construction.
pub struct Schema {
    pub random: Random,
    /// Percentage of optional parts that are present. With a low density a feature occurs in isolation, where generated
    /// code is most likely to contain something unused.
    pub density: usize,
    pub enums: Vec<types::Enum>,
    /// Names of the resources.
    pub resources: Vec<String>,
    /// Names of the unions.
    pub unions: Vec<String>,
    /// Names of the operations in which fields can be required.
    pub writes: Vec<String>,
    /// Seed of the schema.
    pub seed: u64,
}

impl Schema {
    /// Returns whether an optional part is present.
    pub fn sometimes(&mut self) -> bool {
        self.random.below(100) < self.density
    }

    /// Returns a random one of several texts.
    pub fn of(&mut self, all: &[&'static str]) -> &'static str {
        all[self.random.below(all.len())]
    }

    /// Returns each text with the density of the schema.
    pub fn some<'a>(&mut self, all: &[&'a str]) -> Vec<&'a str> {
        all.iter().copied().filter(|_| self.sometimes()).collect()
    }
}

/// Writes the schema of a seed.
pub fn write(seed: u64) -> String {
    // Similar seeds would produce similar first numbers.
    let mut random = Random(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..8 {
        random.below(2);
    }
    let density = [2, 8, 20, 40][random.below(4)];
    let mut schema = Schema {
        random,
        density,
        enums: Vec::new(),
        resources: Vec::new(),
        unions: Vec::new(),
        writes: Vec::new(),
        seed,
    };
    schema.name_things();
    let mut text = schema.head();
    let operations = operations::write(&mut schema);
    // Media require parameters with roles, even if the schema has none otherwise.
    if !text.contains("standard_parameters") && (operations.contains("media: {") || schema.sometimes()) {
        text.push_str(schema.of(ROLES));
    }
    let types = types::write(&mut schema);
    let _ = write!(text, "{types}{operations}");
    text
}

/// Standard parameters with roles.
const ROLES: &[&str] = &[
    "standard_parameters: [standard]\nparameter_sets: { standard: { out: { type: string, role: { is: format, values: { media: raw } }, doc: The form. }, how: { type: string, role: { is: upload_type, values: { media: plain, resumable: pieces } }, doc: How. }, show: { type: string, role: fields, doc: What. }, apikey: { type: string, role: api_key, doc: The key. } } }\n",
    "standard_parameters: [standard]\nparameter_sets: { standard: { alt: { type: string, role: format, doc: The form. }, uploadType: { type: string, role: upload_type, doc: How. }, indent: { type: bool, role: pretty_print, doc: Whether it is pretty. }, tenant: { type: string, role: quota_user, doc: Who. } } }\n",
];

/// Names that Rust, its prelude or the emitters use themselves.
const TYPES: &[&str] =
    &["Option", "Result", "Vec", "Box", "Some", "Rules", "At", "Checker", "Error", "Default", "Value"];

impl Schema {
    /// Chooses the names of all types, so that every type can refer to every other.
    fn name_things(&mut self) {
        for index in 0..1 + self.random.below(5) {
            let special = self.sometimes().then(|| TYPES[self.random.below(TYPES.len())].to_owned());
            let name = special.filter(|name| !self.resources.contains(name)).unwrap_or_else(|| format!("Thing{index}"));
            self.resources.push(name);
        }
        (0..self.random.below(3)).for_each(|index| self.unions.push(format!("Union{index}")));
        for index in 0..self.random.below(4) {
            let new_enum = types::Enum::new(self, index);
            self.enums.push(new_enum);
        }
    }

    /// Writes the top-level keys of the API.
    fn head(&mut self) -> String {
        let mut text = format!("api: random-{}\n", self.seed);
        let optional = [
            "version: v2\n",
            "title: A random API\n",
            "doc: An API that nobody asked for.\n",
            "root: https://example.com\nendpoints: { eu: https://eu.example.com }\nbatch: /batch\n",
            "unimplemented: { left.out: 'GET /left/{out}', left.on: 'POST /left/{out}:on' }\n",
            "base_path: { path: /random/v1, aliases: [/other/v1] }\n",
            "features: groups\n",
            "scope_base: https://example.com/auth/\nscopes: { all: Everything., some: { doc: Something., aliases: [little] } }\n",
            "standard_parameters: [standard]\nparameter_sets: { standard: { pretty: { type: bool, default: true, role: pretty_print, doc: Whether it is pretty. }, trace: { type: string, doc: A trace. }, alt: { type: string, role: format, doc: The form. }, mode: { type: string, role: upload_type, doc: How. } } }\n",
            "profile: { domain: random, domains: { limits: [slow, slower], other: [garbled] }, reasons: { 404: none, 5XX: broken, malformed: garbled }, rate_limits: { 400: [slow], 403: [slow, slower] }, request_ids: [x-trace] }\n",
        ];
        self.some(&optional).into_iter().for_each(|line| text.push_str(line));
        if !text.contains("scope_base") && self.sometimes() {
            text.push_str(
                "security_schemes: { login: { type: http, scheme: basic }, key: { type: api_key, in: header, name: X-Key } }\nsecurity: [login, [key]]\n",
            );
        }
        text.push_str(self.of(ERRORS));
        text
    }
}

/// Descriptions of the error body.
const ERRORS: &[&str] = &[
    "",
    "errors: { body: Failure, message: text }\n",
    "errors: { body: Failure, message: text, location: places.at.field, rule: places.rule, violation_message: places.text }\n",
    "errors: { body: Failure, message: places.text, code: number, reason: class }\n",
];
