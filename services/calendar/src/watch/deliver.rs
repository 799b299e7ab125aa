//! Sending of a message, and recording of its outcome.

use calendar_server::requests::EventsWatch;
use calendar_server::runtime::notifications::{Delivery, Notification, request};
use calendar_server::runtime::wireform_runtime::{Decimal, Naming};
use calendar_server::types::{Channel, ChannelState};
use wireform_store::{Error as StoreError, LeasedMessage, MessageOutcome, Millis, Store};

use super::callbacks::PostError;
use crate::CalendarService;

impl<S: Store> CalendarService<S> {
    /// Sends a leased message and records the outcome. No attempt starts after `latest`, by the clock of leases: the
    /// lease might expire, and another sender take the message, before the attempt ends.
    pub(super) async fn deliver(&self, message: LeasedMessage, latest: Millis) -> Result<(), StoreError> {
        let is_first = message.channel.message == 1;
        let outcome = if !is_first && message.channel.attempts == 0 && !self.has_change_to_announce(&message).await? {
            MessageOutcome::Skipped
        } else if self.notifier.lease_clock.now() > latest {
            tracing::warn!(
                channel = message.channel.settings.id,
                "the lease of a notification has expired; the next sender sends it"
            );
            return Ok(());
        } else {
            self.send_once(&message).await
        };
        if !self.store.settle_message(message.key, outcome, self.clock.now()).await? {
            tracing::debug!(
                channel = message.channel.settings.id,
                "the channel was stopped, or its message leased by another sender"
            );
        }
        Ok(())
    }

    /// Sends a message once. Returns its outcome for the store.
    async fn send_once(&self, message: &LeasedMessage) -> MessageOutcome {
        let settings = &message.channel.settings;
        let channel = Channel {
            id: Some(settings.id.clone()),
            address: Some(settings.url.clone()),
            token: settings.token.as_ref().map(|token| token.reveal().to_owned()),
            expiration: Some(Decimal(settings.expires.0)),
            resource_id: Some(settings.resource_id.clone()),
            resource_uri: Some(settings.resource_uri.clone()),
            ..Channel::default()
        };
        let state = if message.channel.message == 1 { ChannelState::Sync } else { ChannelState::Exists };
        let request = Notification::<EventsWatch>::new(&channel, message.channel.message, state)
            .and_then(|notification| request(&channel, &notification, Naming::Public).ok());
        // A request that cannot be built now cannot be built later.
        let Some(request) = request else {
            return MessageOutcome::Done("the notification cannot be serialized".to_owned());
        };
        let result = self.notifier.callbacks.post(request).await;
        self.outcome(message, result)
    }

    /// Returns the outcome of an attempt for the store: after a temporary failure, the message is retried with a
    /// backoff.
    fn outcome(&self, message: &LeasedMessage, result: Result<u16, PostError>) -> MessageOutcome {
        let outcome = match result {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let (delivery, attempts) = (classify(result), message.channel.attempts.saturating_add(1));
        if delivery == Delivery::Delivered {
            return MessageOutcome::Done(outcome);
        }
        let pause = self.notifier.backoff.pause(attempts, rand::random()).filter(|_| delivery == Delivery::Retry);
        let (channel, number, again) = (&message.channel.settings.id, message.channel.message, pause.is_some());
        tracing::warn!(channel, number, attempts, again, cause = outcome, "a notification was not delivered");
        match pause {
            Some(pause) => MessageOutcome::Retry(outcome, self.clock.now().saturating_add(pause)),
            None => MessageOutcome::Done(outcome),
        }
    }
}

/// Returns the outcome of a response, as the public service documents it: unlike by `Delivery::of`, 102 is a success,
/// only four statuses of the class 2xx are, and 408 and 429 are not retried. A channel stays open until it is stopped
/// or expires, whatever its receiver responds.
fn classify(result: Result<u16, PostError>) -> Delivery {
    match result {
        Ok(102 | 200 | 201 | 202 | 204) => Delivery::Delivered,
        Ok(500 | 502 | 503 | 504) => Delivery::Retry,
        Ok(_) | Err(PostError::Url(_)) => Delivery::Failed,
        Err(_) => Delivery::Retry,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use calendar_server::runtime::tokens::TokenSealer;
    use wireform_store::{Accounts as _, Calendars as _, Channels as _, Clock, LeaseQuery, NewChannel, Sqlite};

    use super::*;
    use crate::watch::UrlError;

    /// The lease may have expired: another sender may have the message already.
    #[tokio::test]
    async fn no_attempt_starts_near_the_end_of_a_lease() {
        let folder = tempfile::tempdir().unwrap();
        let (store, now) = (Sqlite::open(folder.path(), wireform_store::SqliteOptions::default()).unwrap(), Millis(1));
        let user = store.add_user("ana@example.com", "Ana", now).await.unwrap().mailbox;
        let calendar = store.calendars(Some(user)).await.unwrap().remove(0).number;
        let none = String::new();
        let (id, resource_id, resource_uri, address) = ("c".to_owned(), none.clone(), none.clone(), none.clone());
        let (token, filter, expires) = (None, none, Millis(i64::MAX));
        let channel =
            NewChannel { user, id, calendar, resource_id, resource_uri, url: address, token, filter, expires };
        store.open_channel(channel, now).await.unwrap();
        let (until, held) = (Millis(2), BTreeMap::new());
        let query = LeaseQuery { now, system_time: now, until, limit: 1, max_per_user: 1, held };
        let message = store.lease_messages(query).await.unwrap().remove(0);
        let service = CalendarService::new(store.clone(), TokenSealer::new([7; 32]), Clock::starting_at(now));
        let machine = Clock::system().now();
        service.deliver(message.clone(), Millis(machine.0 - 1)).await.unwrap();
        assert_eq!(store.channels(None).await.unwrap()[0].last_attempt, None);
        service.deliver(message, machine.saturating_add(std::time::Duration::from_secs(60))).await.unwrap();
        assert!(store.channels(None).await.unwrap()[0].last_attempt.is_some());
    }

    #[test]
    fn responses_are_classified_as_documented() {
        for status in 100..600 {
            let expected = match status {
                102 | 200 | 201 | 202 | 204 => Delivery::Delivered,
                500 | 502 | 503 | 504 => Delivery::Retry,
                _ => Delivery::Failed,
            };
            assert_eq!(classify(Ok(status)), expected, "{status}");
        }
        for error in
            [PostError::Unresolved, PostError::Connect, PostError::Tls, PostError::InvalidResponse, PostError::Timeout]
        {
            assert_eq!(classify(Err(error)), Delivery::Retry, "{error}");
        }
        assert_eq!(classify(Err(PostError::Url(UrlError::NotPublic))), Delivery::Failed);
    }
}
