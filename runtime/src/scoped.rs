//! Values of a thread during a call.

use std::cell::Cell;
use std::thread::LocalKey;

/// Calls a function while a thread-local variable has a value. The previous value is restored also if it panics.
pub(crate) fn with_value<V: Copy + 'static, T>(
    variable: &'static LocalKey<Cell<V>>,
    value: V,
    function: impl FnOnce() -> T,
) -> T {
    struct Restore<V: Copy + 'static>(&'static LocalKey<Cell<V>>, V);
    impl<V: Copy> Drop for Restore<V> {
        fn drop(&mut self) {
            self.0.set(self.1);
        }
    }
    let _restore = Restore(variable, variable.replace(value));
    function()
}
