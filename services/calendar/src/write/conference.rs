//! Conferences for events, created by a job that is stored with the event.

use std::time::Duration;

use calendar_server::Error;
use calendar_server::types::{
    ConferenceData, ConferenceRequestStatus, ConferenceSolution, ConferenceSolutionKey, ConferenceStatusCode,
    EntryPoint, EntryPointType, Event,
};
use wireform_store::{Error as StoreError, Job, Store};

use super::MAX_ATTEMPTS;
use crate::CalendarService;
use crate::conferences::NewConference;
use crate::error;

/// Minimum delay of the job.
pub(super) const MIN_DELAY: Duration = Duration::from_millis(200);
/// Delay after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(30);
/// Maximum number of jobs run at once.
const MAX_JOBS: u32 = 50;

/// Validates the conference data of an event. Returns whether a conference is to be created. A request with the same
/// identifier as the previous one is not a new request.
pub(super) fn request(before: &Event, next: &mut Event) -> Result<bool, Error> {
    if next.conference_data == before.conference_data {
        return Ok(false);
    }
    let Some(data) = &mut next.conference_data else {
        next.hangout_link = None;
        return Ok(false);
    };
    let stored = before.conference_data.as_ref();
    let Some(request) = &mut data.create_request else {
        // Only a signature by this service is kept.
        data.signature =
            stored.and_then(|stored| stored.signature.clone()).filter(|own| Some(own) == data.signature.as_ref());
        next.hangout_link = own_conference_url(data);
        return Ok(false);
    };
    let member = "conferenceData.createRequest.requestId";
    let id = request.request_id.as_deref().filter(|id| !id.is_empty());
    let id = id
        .ok_or_else(|| error::invalid(member, "a conference request requires a `requestId`").with_reason("required"))?;
    let known = stored.and_then(|stored| stored.create_request.as_ref()).and_then(|known| known.request_id.as_deref());
    if known == Some(id) {
        next.conference_data.clone_from(&before.conference_data);
        next.hangout_link.clone_from(&before.hangout_link);
        return Ok(false);
    }
    request.status = Some(ConferenceRequestStatus::default().with_status_code(ConferenceStatusCode::Pending));
    let request = Some(request.clone());
    let (notes, parameters) = (data.notes.take(), data.parameters.take());
    *data = ConferenceData { create_request: request, notes, parameters, ..ConferenceData::default() };
    next.hangout_link = None;
    Ok(true)
}

/// Returns the URL of a conference of the service's own.
fn own_conference_url(data: &ConferenceData) -> Option<String> {
    let key = data.conference_solution.as_ref()?.key.as_ref()?;
    let is_own = key.r#type.as_ref().is_some_and(|kind| kind.to_string() == "hangoutsMeet");
    let video = data.entry_points.iter().find(|point| point.entry_point_type == Some(EntryPointType::Video))?;
    video.uri.clone().filter(|_| is_own)
}

impl<S: Store> CalendarService<S> {
    /// Runs the due jobs: creates the conferences that events wait for, and declines conflicting invitations. Returns
    /// the number of jobs run.
    ///
    /// # Errors
    /// Returns an error if the store is unavailable; jobs that were not run stay due.
    pub async fn run_jobs(&self) -> Result<usize, StoreError> {
        let now = self.clock.now();
        let jobs = self.store.due_jobs(now, MAX_JOBS).await?;
        let count = jobs.len();
        for job in jobs {
            let again = match self.run_job(&job).await {
                Ok(()) => None,
                Err(error) if error.status().is_client_error() => None,
                Err(error) => {
                    tracing::warn!(cause = ?error, "a job of an event failed; retrying later");
                    Some(now.saturating_add(RETRY_DELAY))
                }
            };
            self.store.end_job(job.number, again).await?;
        }
        Ok(count)
    }

    /// Creates the requested conference of an event, and declines the invitations that conflict with it.
    async fn run_job(&self, job: &Job) -> Result<(), Error> {
        self.create_conference(job).await?;
        self.decline_conflicts(job.calendar, &job.id).await
    }

    /// Creates the conference of an event if it is still pending. Retries after concurrent writes.
    async fn create_conference(&self, job: &Job) -> Result<(), Error> {
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft_on(job.calendar, &job.id).await?;
            if draft.found.instance.is_some() {
                return Ok(());
            }
            let Some(data) = &mut draft.shared.conference_data else { return Ok(()) };
            let Some(request) = &mut data.create_request else { return Ok(()) };
            let code = request.status.as_ref().and_then(|status| status.status_code.as_ref());
            if code != Some(&ConferenceStatusCode::Pending) {
                return Ok(());
            }
            let key = request.conference_solution_key.clone().unwrap_or_default();
            let kind = key.r#type.as_ref().map_or_else(|| "hangoutsMeet".to_owned(), ToString::to_string);
            let made = self.conferences.create(&kind);
            let code = if made.is_some() { ConferenceStatusCode::Success } else { ConferenceStatusCode::Failure };
            request.status = Some(ConferenceRequestStatus::default().with_status_code(code));
            if let Some(made) = made {
                fill(data, &kind, made);
            }
            draft.shared.hangout_link = own_conference_url(data);
            for copy in &mut draft.copies {
                copy.updated = self.clock.now();
            }
            let write = self.write_without_mail(draft).await?;
            if self.store(write).await? {
                return Ok(());
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }
}

/// Sets the solution, the video entry point, the identifier and the signature of a created conference.
fn fill(data: &mut ConferenceData, kind: &str, made: NewConference) {
    let NewConference { name, id, uri } = made;
    let label = uri.split_once("://").map_or(uri.as_str(), |(_, rest)| rest).to_owned();
    let key = ConferenceSolutionKey { r#type: Some(kind.into()) };
    data.conference_solution =
        Some(ConferenceSolution { key: Some(key), ..ConferenceSolution::default().with_name(name) });
    let video = EntryPoint { entry_point_type: Some(EntryPointType::Video), ..EntryPoint::default() };
    data.entry_points = vec![video.with_uri(uri).with_label(label).with_meeting_code(id.as_str())];
    data.conference_id = Some(id);
    data.signature = Some(format!("{:032x}", rand::random::<u128>()));
}
