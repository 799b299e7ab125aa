//! Projects and their shares.

use super::files::{self, ReplaceContent};
use super::project::{load, lock, project_from_row, role, role_from_number, role_number};
use super::{deployments, random_id, sql};
use crate::domain::{texts, user};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{
    Error, Mailbox, Millis, NewProject, Person, Project, ProjectAccess, ProjectNumber, Result, ScriptRole, ScriptShare,
};

/// Adds a project with its first content.
pub(super) struct AddProject(pub(super) NewProject, pub(super) Millis);

impl Operation for AddProject {
    type Output = Project;
    const ACCESS: Access = Access::Write;

    fn weight(&self) -> usize {
        files::approximate_size(&self.0.files)
    }

    async fn run<S: Session>(self, session: &mut S) -> Result<Project> {
        let Self(new, now) = self;
        user::require(session, new.owner).await?;
        let values = [
            random_id().into(),
            new.owner.0.into(),
            texts::replace_nul(new.title).into(),
            new.parent.map(texts::replace_nul).into(),
            now.0.into(),
        ];
        let rows = session.rows(sql::PROJECT_ADD, &values).await?;
        let none = || Error::Internal("the database returned no number for a new project".to_owned());
        let number = ProjectNumber(rows.first().ok_or_else(none)?.int(0)?);
        ReplaceContent::new(number, new.files, new.owner, now).run(session).await?;
        deployments::add_head(session, number, new.owner, now).await?;
        Ok(load(session, number).await?.project)
    }
}

/// Finds a project by identifier, with a user's role on it.
pub(super) struct FindProject(pub(super) String, pub(super) Mailbox);

impl Operation for FindProject {
    type Output = Option<ProjectAccess>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<ProjectAccess>> {
        let mut rows = session.rows(sql::PROJECT, &[texts::replace_nul(self.0).into()]).await?;
        let Some(row) = rows.first_mut() else { return Ok(None) };
        let project = project_from_row(row)?;
        let role = role(session, &project, self.1).await?;
        Ok(Some((project, role)))
    }
}

/// Finds a project by number, with a user's role on it.
pub(super) struct FindProjectByNumber(pub(super) ProjectNumber, pub(super) Mailbox);

impl Operation for FindProjectByNumber {
    type Output = Option<ProjectAccess>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<ProjectAccess>> {
        let project = match load(session, self.0).await {
            Ok(stored) => stored.project,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let role = role(session, &project, self.1).await?;
        Ok(Some((project, role)))
    }
}

/// Lists the projects of a user, or all projects.
pub(in crate::domain) struct ListProjects(pub(in crate::domain) Option<Mailbox>);

impl Operation for ListProjects {
    type Output = Vec<Project>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Project>> {
        let mut rows = match self.0 {
            Some(owner) => session.rows(sql::PROJECTS_OF, &[owner.0.into()]).await?,
            None => session.rows(sql::PROJECTS, &[]).await?,
        };
        rows.iter_mut().map(project_from_row).collect()
    }
}

/// Lists the projects of a user, and those shared with them.
pub(super) struct ListVisibleProjects(pub(super) Mailbox);

impl Operation for ListVisibleProjects {
    type Output = Vec<(Project, ScriptRole)>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let user = [self.0.0.into()];
        let mut visible = Vec::new();
        for mut row in session.rows(sql::PROJECTS_OF, &user).await? {
            visible.push((project_from_row(&mut row)?, ScriptRole::Owner));
        }
        for mut row in session.rows(sql::PROJECTS_SHARED, &user).await? {
            visible.push((project_from_row(&mut row)?, role_from_number(row.int(13)?)?));
        }
        Ok(visible)
    }
}

/// Sets the role of a user on a project; `None` ends the sharing.
pub(super) struct ShareProject {
    pub(super) project: ProjectNumber,
    pub(super) user: Mailbox,
    pub(super) role: Option<ScriptRole>,
    pub(super) now: Millis,
}

impl Operation for ShareProject {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let stored = lock(session, self.project).await?;
        user::require(session, self.user).await?;
        if stored.project.owner == self.user {
            return Err(Error::Refused("a project cannot be shared with its owner".to_owned()));
        }
        let key = [self.project.0.into(), self.user.0.into()];
        match self.role {
            Some(role) => {
                let [project, user] = key;
                session.run(sql::ROLE_SET, &[project, user, role_number(role).into()]).await?
            }
            None => session.run(sql::ROLE_DROP, &key).await?,
        };
        session.run(sql::PROJECT_TOUCH, &[self.project.0.into(), self.now.0.into()]).await?;
        Ok(())
    }
}

pub(super) struct ListProjectShares(pub(super) ProjectNumber);

impl Operation for ListProjectShares {
    type Output = Vec<ScriptShare>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<ScriptShare>> {
        let mut rows = session.rows(sql::ROLES, &[self.0.0.into()]).await?;
        let share = |row: &mut Row| {
            Ok(ScriptShare { user: Mailbox(row.int(0)?), address: row.text(1)?, role: role_from_number(row.int(2)?)? })
        };
        rows.iter_mut().map(share).collect()
    }
}

/// Sets the title of a project, with the user and the time of the change.
pub(super) struct SetProjectTitle {
    pub(super) project: ProjectNumber,
    pub(super) title: String,
    pub(super) user: Mailbox,
    pub(super) now: Millis,
}

impl Operation for SetProjectTitle {
    type Output = Project;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Project> {
        let values =
            [self.project.0.into(), texts::replace_nul(self.title).into(), self.user.0.into(), self.now.0.into()];
        session.run(sql::PROJECT_TITLE, &values).await?;
        Ok(load(session, self.project).await?.project)
    }
}

/// Reads users with their profiles, without those who do not exist.
pub(super) struct FindPeople(pub(super) Vec<Mailbox>);

impl Operation for FindPeople {
    type Output = Vec<Person>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Person>> {
        let keys: Vec<_> = self.0.iter().map(|user| vec![user.0.into()]).collect();
        let rows = session.rows_of_each(sql::PERSON, &keys).await?;
        let person = |mut row: Row| {
            let hidden = row.optional_int(4)?.unwrap_or(0) != 0;
            let photo = row.optional_text(5)?;
            Ok(Person { user: user::user_from_row(&mut row)?, hidden, photo })
        };
        rows.into_iter().flatten().map(person).collect()
    }
}

/// Sets whether a user's profile is hidden, and the photo in it.
pub(super) struct SetProfile {
    pub(super) user: Mailbox,
    pub(super) hidden: bool,
    pub(super) photo: Option<String>,
}

impl Operation for SetProfile {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        user::require(session, self.user).await?;
        let values = [self.user.0.into(), i64::from(self.hidden).into(), self.photo.map(texts::replace_nul).into()];
        session.run(sql::PROFILE_SET, &values).await?;
        Ok(())
    }
}
