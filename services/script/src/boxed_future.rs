//! Futures of any type.

use std::future::Future;
use std::pin::Pin;

/// A future of any type.
pub type BoxedFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
