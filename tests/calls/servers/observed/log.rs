//! Subscriber that records all log output.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber, span};

/// Log output of all events and spans.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<String>>);

impl Log {
    fn write(&self, write: impl FnOnce(&mut Line<'_>)) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut Line(&mut text));
        text.push('\n');
    }

    /// Takes the log output since the last call.
    pub fn take(&self) -> String {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Line<'t>(&'t mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        let _ = write!(self.0, " {}={value} {value:?}", field.name());
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        self.write(|line| {
            line.0.push_str(attributes.metadata().name());
            attributes.record(line);
        });
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        self.write(|line| values.record(line));
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        self.write(|line| {
            line.0.push_str(event.metadata().target());
            event.record(line);
        });
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}
