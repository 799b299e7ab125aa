//! All suites, one module each.

mod boundaries;
mod cases;
mod conformance;
mod determinism;
mod editor_schema;
mod errors;
mod formatted;
mod freshness;
mod hostile;
mod inventory;
mod json_suite;
mod lenient;
mod many_groups;
mod mutations;
mod openapi;
mod outside;
mod packages;
mod patterns;
mod readme;
mod round_trip;
mod semantics;
mod smithy;
mod smoke;
mod uri_template;
mod yaml_readers;
mod yaml_suite;
