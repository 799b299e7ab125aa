//! Snapshots of the generator's output.

mod cases;
mod errors;
mod forms;
mod kept;
mod lints;
mod tables;
