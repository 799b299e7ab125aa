//! Authority of a run over the mail and the calendars of its user.

use script_server::Principal;
use script_server::runtime::Scopes;
use wireform_store::{Grant, TokenKind, User};

/// Authority of the caller who starts a run, which bounds that of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authority {
    /// Everything that the user may do.
    Full,
    /// Permissions of a token.
    Token(Grant),
}

impl Authority {
    /// Returns the authority of a caller who requests a run as `user`.
    pub(crate) fn from_principal(principal: &Principal, user: &User) -> Self {
        let Scopes::Of(scopes) = principal.scopes() else { return Self::Full };
        // Only grants of service accounts are passed on as a whole.
        Self::Token(principal.data::<Grant>().cloned().unwrap_or_else(|| Grant {
            user: user.clone(),
            scopes: scopes.iter().map(|scope| scope.to_string()).collect(),
            kind: TokenKind::User,
        }))
    }

    /// Returns the scopes to store with something that is created now and runs later; `None` for the full authority. It
    /// runs as a user, so scopes that change calendars are dropped for a service account: a user may do more there.
    pub(crate) fn scopes(&self) -> Option<Vec<String>> {
        let Self::Token(grant) = self else { return None };
        let is_kept = |scope: &&String| !self.is_service_account() || !changes_calendars(scope);
        Some(grant.scopes.iter().filter(is_kept).cloned().collect())
    }

    /// Returns whether this is the authority of a service account without delegation.
    pub(crate) fn is_service_account(&self) -> bool {
        matches!(self, Self::Token(grant) if grant.kind == TokenKind::ServiceAccount)
    }

    /// Returns the authority of runs as a user with the scopes of the caller who scheduled them.
    pub(crate) fn from_scopes(scopes: Option<Vec<String>>, user: &User) -> Self {
        let grant = |scopes| Self::Token(Grant { user: user.clone(), scopes, kind: TokenKind::User });
        scopes.map_or(Self::Full, grant)
    }

    /// Returns whether the authority has one of the scopes, named without `https://www.googleapis.com/auth/`.
    pub(crate) fn allows(&self, names: &[&str]) -> bool {
        let Self::Token(grant) = self else { return true };
        let name =
            |scope: &str| names.contains(&scope.strip_prefix("https://www.googleapis.com/auth/").unwrap_or(scope));
        grant.scopes.iter().any(|scope| name(scope))
    }
}

/// Returns whether a scope allows writing to calendars.
fn changes_calendars(scope: &str) -> bool {
    let name = scope.rsplit('/').next().unwrap_or(scope);
    name.starts_with("calendar") && !name.ends_with(".readonly")
}

/// Returns the message of the exception for a missing scope.
pub(crate) fn missing_scope(what: &str) -> String {
    format!("the scopes of the token do not allow {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_match_by_url_and_by_name() {
        let (mailbox, since) = (wireform_store::Mailbox(1), wireform_store::Millis(0));
        let user = User { mailbox, address: "ana@example.com".to_owned(), name: String::new(), created: since };
        let of =
            |scope: &str| Authority::from_principal(&Principal::new("ana@example.com").with_scopes([scope]), &user);
        for scope in ["calendar", "https://www.googleapis.com/auth/calendar"] {
            assert!(of(scope).allows(&["calendar"]), "{scope}");
        }
        for scope in ["calendar.readonly", "https://example.com/calendar", ""] {
            assert!(!of(scope).allows(&["calendar"]), "{scope}");
        }
        assert_eq!(
            Authority::from_principal(&Principal::new("ana@example.com").with_all_scopes(), &user),
            Authority::Full
        );
    }

    #[test]
    fn triggers_of_a_service_account_cannot_change_calendars() {
        let (mailbox, since) = (wireform_store::Mailbox(1), wireform_store::Millis(0));
        let user = User { mailbox, address: "ana@example.com".to_owned(), name: String::new(), created: since };
        let all = ["calendar", "calendar.events.readonly", "https://mail.google.com/", "script.projects"];
        let of = |kind| {
            let scopes = all.map(str::to_owned).to_vec();
            Authority::Token(Grant { user: user.clone(), scopes, kind }).scopes().unwrap()
        };
        assert_eq!(of(TokenKind::ServiceAccount), all[1..]);
        assert_eq!((of(TokenKind::User).len(), of(TokenKind::Delegated).len()), (4, 4));
    }
}
