//! Messages.

use mailbox_server::service;
use wireform_store::Store;

use crate::MailboxService;

impl<S: Store> service::UsersMessages for MailboxService<S> {}
