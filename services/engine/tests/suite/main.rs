//! Scripts in processes of their own.

mod analysis;
mod confinement;
mod hostile;
mod limits;
mod outcomes;
mod support;
