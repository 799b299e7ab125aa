//! Conferences for events, created by a job that is stored with the event.

mod signature;

use std::collections::BTreeSet;
use std::time::Duration;

use calendar_server::Error;
use calendar_server::types::{
    ConferenceData, ConferenceRequestStatus, ConferenceSolution, ConferenceSolutionKey, ConferenceStatusCode,
    CreateConferenceRequest, EntryPoint, EntryPointType, Event,
};
use wireform_store::{EntryState, Error as StoreError, EventWrite, Job, Store};

use super::draft::{Draft, EventCopy};
use super::entries::with_state;
use super::memory::ChangeMemory;
use super::{MAX_ATTEMPTS, merge_into};
use crate::CalendarService;
use crate::conferences::NewConference;
use crate::content::{parse_shared, serialize_shared};
use crate::error;

/// Minimum delay of the job.
pub(super) const MIN_DELAY: Duration = Duration::from_millis(200);
/// Delay after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(30);
/// Maximum number of jobs run at once.
const MAX_JOBS: u32 = 50;

/// Returns whether conference data are of a conference, not only of a request for one.
pub(crate) fn describes_conference(data: &ConferenceData) -> bool {
    data.conference_solution.is_some() && !data.entry_points.is_empty()
}

/// Returns whether conference data are of the same conference; requests and notes are not compared.
fn describes_same(one: &ConferenceData, other: &ConferenceData) -> bool {
    one.conference_solution == other.conference_solution
        && one.entry_points == other.entry_points
        && one.conference_id == other.conference_id
}

/// Returns the status of a request.
fn request_status(code: ConferenceStatusCode) -> Option<ConferenceRequestStatus> {
    Some(ConferenceRequestStatus::default().with_status_code(code))
}

/// Resolves the request in conference data. Returns whether it is new: then a conference is to be created.
///
/// Conference data as the service returns them contain the request that has created the conference, and can be stored
/// with this or another event. So a request together with a conference that the event does not have yet is not new, and
/// neither is one with the identifier of the previous request.
fn resolve_request(stored: Option<&ConferenceData>, data: &mut ConferenceData) -> Result<bool, Error> {
    let Some(mut request) = data.create_request.take() else { return Ok(false) };
    let previous = stored.and_then(|stored| stored.create_request.as_ref());
    if let (Some(stored), Some(previous)) = (stored, previous)
        && previous.request_id.is_some()
        && previous.request_id == request.request_id
    {
        repeat_request(stored, previous, data)?;
        return Ok(false);
    }
    if describes_conference(data) && !stored.is_some_and(|stored| describes_same(stored, data)) {
        request.status = request_status(ConferenceStatusCode::Success);
        data.create_request = Some(request);
        return Ok(false);
    }
    if request.request_id.as_deref().unwrap_or_default().is_empty() {
        let error =
            error::invalid("conferenceData.createRequest.requestId", "a conference request requires a `requestId`");
        return Err(error.with_reason("required"));
    }
    request.status = request_status(ConferenceStatusCode::Pending);
    let (notes, parameters) = (data.notes.take(), data.parameters.take());
    *data = ConferenceData { create_request: Some(request), notes, parameters, ..ConferenceData::default() };
    Ok(true)
}

/// Ignores a repeated request. The conference stays as it is unless the data describe one.
///
/// # Errors
/// Returns 400 for a part of a conference, which would be ignored with the request.
fn repeat_request(
    stored: &ConferenceData,
    previous: &CreateConferenceRequest,
    data: &mut ConferenceData,
) -> Result<(), Error> {
    let is_described = describes_conference(data);
    if !is_described {
        let missing = match (&data.conference_solution, data.entry_points.as_slice()) {
            (Some(_), []) => Some("conferenceData.entryPoints"),
            (None, [_, ..]) => Some("conferenceData.conferenceSolution"),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(error::invalid(missing, "expected `conferenceSolution` with at least one entry point"));
        }
        data.conference_solution.clone_from(&stored.conference_solution);
        data.entry_points.clone_from(&stored.entry_points);
        data.conference_id.clone_from(&stored.conference_id);
    }
    // A client may describe another conference than the one to be created.
    let is_done = previous.status == request_status(ConferenceStatusCode::Success);
    data.create_request = Some(previous.clone()).filter(|_| is_done || !is_described);
    Ok(())
}

/// Returns the video entry point of a conference of the type `hangoutsMeet`.
fn meeting(data: &ConferenceData) -> Option<&EntryPoint> {
    let key = data.conference_solution.as_ref()?.key.as_ref()?;
    let is_own = key.r#type.as_ref().is_some_and(|kind| kind.to_string() == "hangoutsMeet");
    data.entry_points.iter().find(|point| is_own && point.entry_point_type == Some(EntryPointType::Video))
}

/// Returns the identifier of a request that is not completed.
fn pending_request(data: &ConferenceData) -> Option<&str> {
    let request = data.create_request.as_ref()?;
    request.request_id.as_deref().filter(|_| request.status == request_status(ConferenceStatusCode::Pending))
}

/// Returns whether an event waits for a conference.
pub(super) fn is_pending(event: &Event) -> bool {
    event.conference_data.as_ref().and_then(pending_request).is_some()
}

/// Returns the URL of a conference of the service's own.
fn own_conference_url(data: &ConferenceData) -> Option<String> {
    meeting(data)?.uri.clone()
}

/// Checks that the identifier of a meeting is its code, if the entry point has one, regardless of hyphens and case.
fn check_meeting_code(data: &ConferenceData) -> Result<(), Error> {
    let plain = |code: &str| code.replace('-', "").to_ascii_lowercase();
    let code = meeting(data).and_then(|video| video.meeting_code.as_deref());
    match (code, data.conference_id.as_deref()) {
        (Some(code), Some(id)) if plain(code) != plain(id) => {
            let message = format!("`{id}` is not the meeting code of the entry point, `{code}`");
            Err(error::invalid("conferenceData.conferenceId", message))
        }
        _ => Ok(()),
    }
}

impl<S: Store> CalendarService<S> {
    /// Validates the conference data of an event. Returns whether a conference is to be created.
    pub(crate) async fn check_conference(&self, before: &Event, next: &mut Event) -> Result<bool, Error> {
        if next.conference_data == before.conference_data {
            return Ok(false);
        }
        let Some(data) = &mut next.conference_data else {
            next.hangout_link = None;
            return Ok(false);
        };
        let stored = before.conference_data.as_ref();
        let is_requested = resolve_request(stored, data)?;
        if !stored.is_some_and(|stored| describes_same(stored, data)) {
            check_meeting_code(data)?;
        }
        self.verify_signature(stored, data).await?;
        next.hangout_link = own_conference_url(data);
        Ok(is_requested)
    }

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
        self.decline_conflicts(job.calendar, &job.id, (None, &ChangeMemory::default())).await
    }

    /// Creates the conference of an event if it is still pending. Retries after concurrent writes.
    async fn create_conference(&self, job: &Job) -> Result<(), Error> {
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft_on(job.calendar, &job.id, None).await?;
            if draft.found.instance.is_some() {
                return Ok(());
            }
            let Some(data) = &mut draft.shared.conference_data else { return Ok(()) };
            if pending_request(data).is_none() || self.series_requests(&draft.copies[0], data).await? {
                return Ok(());
            }
            let Some(request) = &mut data.create_request else { return Ok(()) };
            let key = request.conference_solution_key.clone().unwrap_or_default();
            let kind = key.r#type.as_ref().map_or_else(|| "hangoutsMeet".to_owned(), ToString::to_string);
            let made = self.conferences.create(&kind);
            let code = if made.is_some() { ConferenceStatusCode::Success } else { ConferenceStatusCode::Failure };
            request.status = Some(ConferenceRequestStatus::default().with_status_code(code));
            if let Some(made) = made {
                fill(data, &kind, made);
                data.signature = Some(self.sign(data).await?);
            }
            draft.shared.hangout_link = own_conference_url(data);
            for copy in &mut draft.copies {
                copy.updated = self.clock.now();
            }
            let exceptions = self.conference_of_exceptions(&draft).await?;
            let mut write = self.write_without_mail(draft).await?;
            merge_into(&mut write, exceptions);
            if self.store(write).await? {
                return Ok(());
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }
}

impl<S: Store> CalendarService<S> {
    /// Returns whether the series of an exception waits for the same conference: then the exception gets it together
    /// with its series.
    async fn series_requests(&self, copy: &EventCopy, data: &ConferenceData) -> Result<bool, Error> {
        let Some(series) = self.series_here(copy).await? else { return Ok(false) };
        let series = parse_shared(&series.shared)?;
        Ok(series.conference_data.as_ref().is_some_and(|of| pending_request(of) == pending_request(data)))
    }

    /// Returns the write that gives the conference of a series to its exceptions that wait for the same one, because
    /// they were created before it.
    async fn conference_of_exceptions(&self, draft: &Draft) -> Result<EventWrite, Error> {
        let mut write = EventWrite::default();
        let (Some(made), before) = (&draft.shared.conference_data, &draft.found.shared.conference_data) else {
            return Ok(write);
        };
        let requested = before.as_ref().and_then(pending_request);
        let mut seen = BTreeSet::new();
        for copy in draft.copies.iter().filter(|copy| copy.series.is_none() && !draft.shared.recurrence.is_empty()) {
            let exceptions = self.all_exceptions(draft, copy, &mut write).await?.into_iter();
            seen.extend(exceptions.filter(|entry| entry.state != EntryState::Orphaned).map(|entry| entry.event));
        }
        for event in seen {
            let entries = self.store.event_entries(event).await.map_err(error::from_store)?;
            let Some(entry) = entries.first() else { continue };
            let mut body = parse_shared(&entry.shared)?;
            let Some(data) = body.conference_data.as_mut().filter(|data| pending_request(data) == requested) else {
                continue;
            };
            let (notes, parameters) = (data.notes.take(), data.parameters.take());
            *data = ConferenceData { notes, parameters, ..made.clone() };
            body.hangout_link.clone_from(&draft.shared.hangout_link);
            write.events.push((event, serialize_shared(&body)?));
            write.entries.extend(entries.into_iter().map(|entry| {
                let (state, removed) = (entry.state, entry.removed);
                with_state(entry, state, removed, self.clock.now())
            }));
        }
        Ok(write)
    }
}

/// Sets the solution, the video entry point and the identifier of a created conference.
fn fill(data: &mut ConferenceData, kind: &str, made: NewConference) {
    let NewConference { name, id, uri } = made;
    let label = uri.split_once("://").map_or(uri.as_str(), |(_, rest)| rest).to_owned();
    let key = ConferenceSolutionKey { r#type: Some(kind.into()) };
    data.conference_solution =
        Some(ConferenceSolution { key: Some(key), ..ConferenceSolution::default().with_name(name) });
    let video = EntryPoint { entry_point_type: Some(EntryPointType::Video), ..EntryPoint::default() };
    data.entry_points = vec![video.with_uri(uri).with_label(label).with_meeting_code(id.as_str())];
    data.conference_id = Some(id);
}
