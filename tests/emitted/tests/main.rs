//! Snapshots of what the generator gives.

mod cases;
mod errors;
mod forms;
mod kept;
