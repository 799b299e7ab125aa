//! Settings of the store itself.

use std::time::Duration;

use rand::Rng as _;

use crate::domain::sql;
use crate::hex::{from_hex, hex};
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{Error, Result, Retention};

/// Name of the setting with the key for page tokens.
const SEALING_KEY: &str = "sealing_key";
/// Name of the setting with the retention of history, in milliseconds or [`FOREVER`].
const RETENTION: &str = "retention";
/// Name of the setting that [`CheckWritable`] overwrites.
const CHECKED: &str = "checked";
/// Stored retention without end.
const FOREVER: &str = "forever";

async fn read_setting<S: Session>(session: &mut S, name: &str) -> Result<Option<String>> {
    session.rows(sql::SETTING, &[name.into()]).await?.first_mut().map(|row| row.text(0)).transpose()
}

/// Reads the key for page tokens, if one was created.
pub(super) struct ReadSealingKey;

impl Operation for ReadSealingKey {
    type Output = Option<[u8; 32]>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<[u8; 32]>> {
        read_setting(session, SEALING_KEY).await?.map(|text| parse_key(&text)).transpose()
    }
}

/// Creates the key for page tokens unless there is one; returns the stored key.
pub(super) struct CreateSealingKey;

impl Operation for CreateSealingKey {
    type Output = [u8; 32];
    const ACCESS: Access = Access::Write;

    /// Another process may have stored a key first: the stored one counts.
    async fn run<S: Session>(self, session: &mut S) -> Result<[u8; 32]> {
        let mut key = [0_u8; 32];
        rand::rng().fill_bytes(&mut key);
        session.run(sql::SETTING_OFFER, &[SEALING_KEY.into(), hex(&key).into()]).await?;
        let stored = read_setting(session, SEALING_KEY).await?;
        parse_key(&stored.ok_or_else(|| Error::Internal("the key for page tokens was not stored".to_owned()))?)
    }
}

/// Parses the key. The error does not contain the text, which is a secret.
fn parse_key(digits: &str) -> Result<[u8; 32]> {
    from_hex(digits).ok_or_else(|| Error::Internal("the key for page tokens is not 64 hexadecimal digits".to_owned()))
}

/// Reads how long history is kept.
pub(super) struct ReadRetention;

impl Operation for ReadRetention {
    type Output = Retention;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Retention> {
        let Some(text) = read_setting(session, RETENTION).await? else { return Ok(Retention::default()) };
        if text == FOREVER {
            return Ok(Retention::Forever);
        }
        let fault = |_| Error::Internal("the stored retention is not a number of milliseconds".to_owned());
        text.parse().map(|millis| Retention::For(Duration::from_millis(millis))).map_err(fault)
    }
}

/// Sets how long history is kept.
pub(super) struct SetRetention(pub(super) Retention);

impl Operation for SetRetention {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let text = match self.0 {
            Retention::Forever => FOREVER.to_owned(),
            Retention::For(time) => u64::try_from(time.as_millis()).unwrap_or(u64::MAX).to_string(),
        };
        session.run(sql::SETTING_SET, &[RETENTION.into(), text.into()]).await?;
        Ok(())
    }
}

/// Returns the name under which a note is stored, distinct from the store's own settings.
pub(super) fn note_name(name: &str) -> String {
    format!("note:{name}")
}

/// Reads a setting by its stored name; notes have the prefix of [`note_name`].
pub(super) struct ReadNote(pub(super) String);

impl Operation for ReadNote {
    type Output = Option<String>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<String>> {
        read_setting(session, &self.0).await
    }
}

/// Writes a note if its value is still `expected`, where `None` means none; returns whether it was written.
pub(super) struct SetNote {
    pub(super) name: String,
    pub(super) expected: Option<String>,
    pub(super) value: String,
}

impl Operation for SetNote {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    /// Compares and writes in one statement, so that of two concurrent writers with the same expectation one succeeds.
    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let (name, value) = (self.name.into(), self.value.into());
        let changed = match self.expected {
            None => session.run(sql::SETTING_OFFER, &[name, value]).await?,
            Some(expected) => session.run(sql::SETTING_CHANGE, &[name, value, expected.into()]).await?,
        };
        Ok(changed > 0)
    }
}

/// Writes something, because a readable database is not always writable.
pub(super) struct CheckWritable;

impl Operation for CheckWritable {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let mark = rand::random::<u32>().to_string();
        session.run(sql::SETTING_SET, &[CHECKED.into(), mark.into()]).await?;
        Ok(())
    }
}
