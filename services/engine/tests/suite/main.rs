//! Scripts in processes of their own.

mod analysis;
mod confinement;
mod globals;
mod hostile;
mod limits;
mod outcomes;
mod services;
mod support;
