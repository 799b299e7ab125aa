//! Web apps: `doGet` and `doPost` of a deployment.

mod event;
mod page;

use std::sync::Arc;

use script_server::runtime::MemoryShare;
use script_server::types::{Access, ExecuteAs, ManifestWebApp, ProcessType};
use wireform_store::{Deployment, Mailbox, ProjectAccess, Result, Store, User};

pub use self::event::WebRequest;
pub use self::page::{FramePolicy, Page};
use crate::apis::Authority;
use crate::engine::Outcome;
use crate::people::domain;
use crate::run::{Ended, ExecutionStart, RunError};
use crate::{ScriptService, manifest};

/// Visitor of a web app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    /// User.
    pub user: User,
    /// Authority of the request's token; the full one for a person at this server's own pages.
    pub authority: Authority,
}

/// Response to a request to a web app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebResponse {
    /// Output of the function.
    Page(Page),
    /// Message of an exception, or of a function that returned no output.
    Failed(String),
    /// The visitor has no such web app.
    NotFound,
    /// The web app requires a user, and the visitor is unknown or not accepted as one.
    Unauthenticated,
    /// Too many functions wait.
    Busy,
}

impl WebResponse {
    /// Returns the length of the text in bytes.
    fn length(&self) -> usize {
        match self {
            Self::Page(page) => page.content.len(),
            Self::Failed(message) => message.len(),
            Self::NotFound | Self::Unauthenticated | Self::Busy => 0,
        }
    }
}

impl<S: Store> ScriptService<S> {
    /// Runs `doGet` or `doPost` of a deployment for a visitor; `None` is an unknown visitor. Returns the memory of a long
    /// page too, of the user that the app runs as: it must be kept until the page has been sent.
    ///
    /// # Errors
    /// Returns an error of the store.
    pub async fn open_web_app(
        &self,
        deployment: &str,
        visitor: Option<Visitor>,
        request: WebRequest,
    ) -> Result<(WebResponse, Option<Arc<MemoryShare>>)> {
        // No user has this number: an unknown visitor has no role.
        let number = visitor.as_ref().map_or(Mailbox(0), |visitor| visitor.user.mailbox);
        let Some((found, deployment)) = self.store.find_deployment(deployment, number).await? else {
            return Ok((WebResponse::NotFound, None));
        };
        let start = match self.admit(found, &deployment, visitor, &request).await? {
            Ok(start) => start,
            Err(response) => return Ok((response, None)),
        };
        let Ended { outcome, memory, .. } = match self.execute(start).await {
            Ok(ended) => ended,
            Err(RunError::Busy) => return Ok((WebResponse::Busy, None)),
            Err(RunError::Store(error)) => return Err(error),
        };
        let response = match outcome {
            Outcome::Returned(output) => page::read(output).map_or_else(WebResponse::Failed, WebResponse::Page),
            Outcome::Threw(exception) => WebResponse::Failed(exception.message),
            Outcome::TimedOut => WebResponse::Failed("Exceeded maximum execution time".to_owned()),
            Outcome::Canceled => WebResponse::Failed("The execution was cancelled".to_owned()),
        };
        let share = memory.into_share();
        if let Some(share) = &share {
            share.shrink(response.length() as u64);
        }
        Ok((response, share))
    }

    /// Returns the run that a visitor may start, or the response that refuses it.
    async fn admit(
        &self,
        (project, role): ProjectAccess,
        deployment: &Deployment,
        visitor: Option<Visitor>,
        request: &WebRequest,
    ) -> Result<std::result::Result<ExecutionStart, WebResponse>> {
        let manifest = manifest::parse_stored(&deployment.manifest);
        let Some(app) = manifest.web_app else { return Ok(Err(WebResponse::NotFound)) };
        // A user who can change the current files is not their deployer: those files are for users who can read them,
        // and never run as another user.
        let pinned = deployment.settings.version.is_some();
        if requires_user(&app, pinned, role.is_some(), visitor.as_ref()) {
            return Ok(Err(WebResponse::Unauthenticated));
        }
        let Some(deployer) = self.store.people(vec![deployment.deployer]).await?.into_iter().next() else {
            return Ok(Err(WebResponse::NotFound));
        };
        let deployer = deployer.user;
        let user = visitor.as_ref().map(|visitor| &visitor.user);
        let admitted = (pinned || role.is_some()) && grants_access(app.access.as_ref(), user, &deployer);
        let number = user.map(|user| user.mailbox);
        let active = active_address(user, &deployer);
        let Visitor { user, authority } = match (app.execute_as, visitor) {
            (Some(ExecuteAs::UserDeploying), _) if pinned => {
                let authority = Authority::from_scopes(deployment.settings.scopes.clone(), &deployer);
                Visitor { user: deployer, authority }
            }
            (Some(ExecuteAs::UserDeploying | ExecuteAs::UserAccessing), Some(visitor)) => visitor,
            _ => return Ok(Err(WebResponse::NotFound)),
        };
        if !admitted {
            return Ok(Err(WebResponse::NotFound));
        }
        let own = self.store.find_project_by_number(project.number, user.mailbox).await?;
        Ok(Ok(ExecutionStart {
            project,
            role: own.and_then(|(_, role)| role),
            user,
            active,
            visitor: number,
            authority,
            version: deployment.settings.version,
            deployment: deployment.id.clone(),
            kind: ProcessType::WebApp,
            function: request.function().to_owned(),
            parameters: vec![request.event()],
        }))
    }
}

/// Returns whether the web app refuses the visitor until a user is known.
fn requires_user(app: &ManifestWebApp, pinned: bool, has_role: bool, visitor: Option<&Visitor>) -> bool {
    let anonymous = app.access == Some(Access::AnyoneAnonymous) && app.execute_as == Some(ExecuteAs::UserDeploying);
    // A page that a person was lured to must not run the code of others as the person at this machine.
    let is_known = |visitor: &Visitor| visitor.authority != Authority::Full || has_role;
    (visitor.is_none() && !(anonymous && pinned))
        || (app.execute_as == Some(ExecuteAs::UserAccessing) && !visitor.is_some_and(is_known))
}

/// Returns whether the access rules of a web app admit a user.
fn grants_access(access: Option<&Access>, user: Option<&User>, deployer: &User) -> bool {
    match (access, user) {
        (Some(Access::AnyoneAnonymous), _) | (Some(Access::Anyone), Some(_)) => true,
        (Some(Access::Domain), Some(user)) => is_same_domain(user, deployer),
        (Some(Access::Myself), Some(user)) => user.mailbox == deployer.mailbox,
        _ => false,
    }
}

/// Returns the address of the user, or an empty string if the script must not know it.
fn active_address(user: Option<&User>, deployer: &User) -> String {
    user.filter(|user| is_same_domain(user, deployer)).map_or_else(String::new, |user| user.address.clone())
}

fn is_same_domain(one: &User, other: &User) -> bool {
    domain(&one.address).eq_ignore_ascii_case(domain(&other.address))
}
