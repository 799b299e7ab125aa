//! Users.

use crate::account::{Grant, NewToken, Token, TokenHash, User};
use crate::backend::Backend;
use crate::calendar::{CalendarSettings, NewCalendar};
use crate::domain::user::user_from_row;
use crate::domain::{calendar, epoch, settings, sql, texts, tokens, user_removal};
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{Accounts, Error, Mailbox, Millis, Result};

/// Maximum length of a mail address, in bytes.
const MAX_ADDRESS_LENGTH: usize = 320;

struct AddUser {
    address: String,
    name: String,
    now: Millis,
}

impl Operation for AddUser {
    type Output = User;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<User> {
        let address = texts::check_name("address of a user", &self.address, MAX_ADDRESS_LENGTH)?;
        let name = texts::replace_nul(self.name);
        let key = texts::lookup_key(&address);
        let values = [address.clone().into(), key.into(), name.clone().into(), self.now.0.into()];
        let added = session.rows(sql::USER_ADD, &values).await?;
        let number = added.first().ok_or_else(|| Error::already_exists("user", &address))?.int(0)?;
        let first = epoch::first_number(epoch::current(session).await?);
        session.run(sql::MAILBOX_ADD, &[number.into(), first.into(), self.now.0.into()]).await?;
        let calendar = NewCalendar {
            id: None,
            owner: Mailbox(number),
            summary: if name.is_empty() { address.clone() } else { name.clone() },
            time_zone: "UTC".to_owned(),
            settings: CalendarSettings::default(),
        };
        calendar::add(session, &address, &calendar, self.now).await?;
        Ok(User { mailbox: Mailbox(number), address, name, created: self.now })
    }
}

/// Finds a user by mail address; fails if there is none.
struct FindUser(String);

impl Operation for FindUser {
    type Output = User;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<User> {
        let mut rows = session.rows(sql::USER_BY_ADDRESS, &[texts::lookup_key(&self.0).into()]).await?;
        user_from_row(rows.first_mut().ok_or_else(|| Error::not_found("user", &self.0))?)
    }
}

struct ListUsers;

impl Operation for ListUsers {
    type Output = Vec<User>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<User>> {
        session.rows(sql::USERS, &[]).await?.iter_mut().map(user_from_row).collect()
    }
}

impl<B: Backend> Accounts for B {
    async fn add_user(&self, address: &str, name: &str, now: Millis) -> Result<User> {
        self.perform(AddUser { address: address.to_owned(), name: name.to_owned(), now }).await
    }

    async fn user(&self, address: &str) -> Result<User> {
        self.perform(FindUser(address.to_owned())).await
    }

    async fn users(&self) -> Result<Vec<User>> {
        self.perform(ListUsers).await
    }

    async fn remove_user(&self, user: Mailbox) -> Result<()> {
        self.perform(user_removal::HideUser(user)).await?;
        while self.perform(user_removal::ClearUser(user)).await? {}
        Ok(())
    }

    async fn add_token(&self, token: NewToken) -> Result<Token> {
        self.perform(tokens::AddToken(token)).await
    }

    async fn find_grant(&self, hash: TokenHash, now: Millis) -> Result<Option<Grant>> {
        self.perform(tokens::FindGrant { hash, now }).await
    }

    async fn tokens(&self, user: Option<Mailbox>) -> Result<Vec<Token>> {
        self.perform(tokens::ListTokens(user)).await
    }

    async fn revoke_token(&self, number: i64) -> Result<()> {
        self.perform(tokens::RevokeToken(number)).await
    }

    async fn sealing_key(&self) -> Result<[u8; 32]> {
        match self.perform(settings::ReadSealingKey).await? {
            Some(key) => Ok(key),
            None => self.perform(settings::CreateSealingKey).await,
        }
    }
}
