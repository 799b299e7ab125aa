//! Users.

use crate::account::{Grant, NewToken, Token, TokenHash, User};
use crate::backend::Backend;
use crate::calendar::{CalendarSettings, NewCalendar};
use crate::domain::user::user;
use crate::domain::{calendar, epoch, remains, settings, sql, texts, tokens};
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
        let address = texts::name("user", &self.address, MAX_ADDRESS_LENGTH)?;
        let name = texts::clean(self.name);
        let key = texts::key(&address);
        let values = [address.clone().into(), key.into(), name.clone().into(), self.now.0.into()];
        let added = session.rows(sql::USER_ADD, &values).await?;
        let number = added.first().ok_or_else(|| Error::present("user", &address))?.int(0)?;
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
        Ok(User { mailbox: Mailbox(number), address, name, since: self.now })
    }
}

struct FindUser(String);

impl Operation for FindUser {
    type Output = User;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<User> {
        let mut rows = session.rows(sql::USER_BY_ADDRESS, &[texts::key(&self.0).into()]).await?;
        user(rows.first_mut().ok_or_else(|| Error::absent("user", &self.0))?)
    }
}

struct Users;

impl Operation for Users {
    type Output = Vec<User>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<User>> {
        session.rows(sql::USERS, &[]).await?.iter_mut().map(user).collect()
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
        self.perform(Users).await
    }

    async fn remove_user(&self, user: Mailbox) -> Result<()> {
        self.perform(remains::Hide(user)).await?;
        while self.perform(remains::Clear(user)).await? {}
        Ok(())
    }

    async fn add_token(&self, token: NewToken) -> Result<Token> {
        self.perform(tokens::AddToken(token)).await
    }

    async fn grant(&self, hash: TokenHash, now: Millis) -> Result<Option<Grant>> {
        self.perform(tokens::FindGrant { hash, now }).await
    }

    async fn tokens(&self, user: Option<Mailbox>) -> Result<Vec<Token>> {
        self.perform(tokens::Tokens(user)).await
    }

    async fn revoke_token(&self, number: i64) -> Result<()> {
        self.perform(tokens::Revoke(number)).await
    }

    async fn sealing_key(&self) -> Result<[u8; 32]> {
        match self.perform(settings::ReadKey).await? {
            Some(key) => Ok(key),
            None => self.perform(settings::MakeKey).await,
        }
    }
}
