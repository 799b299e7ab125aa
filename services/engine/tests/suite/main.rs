//! Scripts in processes of their own.

mod confinement;
mod hostile;
mod limits;
mod outcomes;
mod support;
