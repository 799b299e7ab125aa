//! Scripts in processes of their own.

mod limits;
mod outcomes;
mod support;
