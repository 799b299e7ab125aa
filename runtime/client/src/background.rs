//! Background runtime of this crate, for calls outside of a tokio runtime.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use wireform_runtime::operation::Operation;

use crate::error::Error;
use crate::transport::{BoxFuture, TransportError};

/// Polls a call, inside the background runtime if the current executor is not tokio's: timers and sockets panic outside
/// of a tokio runtime.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn poll_in_runtime<T>(
    operation: &'static Operation,
    future: &mut BoxFuture<'static, Result<T, Error<Bytes>>>,
    context: &mut Context<'_>,
) -> Poll<Result<T, Error<Bytes>>> {
    if tokio::runtime::Handle::try_current().is_ok() {
        return Pin::new(future).poll(context);
    }
    match runtime::handle() {
        Ok(handle) => {
            let _entered = handle.enter();
            Pin::new(future).poll(context)
        }
        Err(error) => Poll::Ready(Err(Error::new(operation, crate::error::ErrorKind::Connection(error)))),
    }
}

/// Sleeps, by a timer of the background runtime if the current executor is not tokio's.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) async fn sleep(time: std::time::Duration) -> Result<(), TransportError> {
    if tokio::runtime::Handle::try_current().is_ok() {
        crate::time::sleep(time).await;
        return Ok(());
    }
    let timer = {
        let handle = runtime::handle()?;
        let _entered = handle.enter();
        Box::pin(tokio::time::sleep(time))
    };
    timer.await;
    Ok(())
}

/// Sleeps.
#[cfg(target_arch = "wasm32")]
pub(crate) async fn sleep(time: std::time::Duration) -> Result<(), TransportError> {
    crate::time::sleep(time).await;
    Ok(())
}

/// Polls a call.
#[cfg(target_arch = "wasm32")]
pub(crate) fn poll_in_runtime<T>(
    _operation: &'static Operation,
    future: &mut BoxFuture<'static, Result<T, Error<Bytes>>>,
    context: &mut Context<'_>,
) -> Poll<Result<T, Error<Bytes>>> {
    Pin::new(future).poll(context)
}

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub(crate) use runtime::{handle, is_worker};

#[cfg(not(target_arch = "wasm32"))]
mod runtime {
    #[cfg(feature = "blocking")]
    use std::cell::Cell;
    use std::future::pending;
    use std::io;
    use std::sync::{Mutex, PoisonError};

    use tokio::runtime::{Builder, Handle};

    use crate::transport::{TransportError, TransportErrorKind};

    #[cfg(feature = "blocking")]
    thread_local! {
        static IS_WORKER: Cell<bool> = const { Cell::new(false) };
    }

    /// Handle of the background runtime, once it has been started.
    static HANDLE: Mutex<Option<Handle>> = Mutex::new(None);

    /// Returns the handle of the background runtime. It is started on first use and ends with the program.
    pub(crate) fn handle() -> Result<Handle, TransportError> {
        let mut kept = HANDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = &*kept {
            return Ok(handle.clone());
        }
        let handle = start().map_err(|error| TransportError::new(TransportErrorKind::Refused, error))?;
        *kept = Some(handle.clone());
        Ok(handle)
    }

    /// Returns whether the current thread is a worker of the background runtime.
    #[cfg(feature = "blocking")]
    pub(crate) fn is_worker() -> bool {
        IS_WORKER.get()
    }

    /// Starts the runtime. One thread drives timers and sockets; with the feature `blocking`, whose calls run here as a
    /// whole, there is one more thread for each processor.
    fn start() -> io::Result<Handle> {
        #[cfg(feature = "blocking")]
        let mut builder = Builder::new_multi_thread();
        #[cfg(not(feature = "blocking"))]
        let mut builder = Builder::new_current_thread();
        #[cfg(feature = "blocking")]
        builder.on_thread_start(|| IS_WORKER.set(true));
        let runtime = builder.enable_all().thread_name("wireform-client").build()?;
        let handle = runtime.handle().clone();
        std::thread::Builder::new()
            .name("wireform-client".to_owned())
            .spawn(move || runtime.block_on(pending::<()>()))?;
        Ok(handle)
    }
}
