//! Scripts in processes of their own.

mod confinement;
mod limits;
mod outcomes;
mod support;
