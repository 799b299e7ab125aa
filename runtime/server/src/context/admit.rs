//! Checks of a request against the stored value, and the value to be stored.

use std::any::Any;

use wireform_runtime::etag::ETag;
use wireform_runtime::{FieldBehavior as _, Request, WireBody, WriteContext, WriteRequest};

use super::Context;
use crate::admission::Admission;
use crate::error::{Error, ErrorLocation};
use crate::receive::SentNames;
use crate::response::version;

impl Context {
    /// Returns the value to be stored, and the proof that the request may write it now: for writes whose body is the
    /// resource, as a whole or as a merge patch, whether there is a stored value or not.
    ///
    /// * The request is checked against the stored value as [`admit`](Self::admit) does; if there is none, as
    ///   [`admit_absent`](Self::admit_absent) does.
    /// * A whole resource replaces the stored one, and a merge patch changes it.
    /// * Output-only and immutable fields keep their stored values.
    /// * Fields without an effect (`effective_when` and `ignored` in the schema) keep their stored values, and are left
    ///   out if there are none.
    /// * Elements of lists keep such fields of the stored element with the same identifier.
    ///
    /// The handler then updates the output-only fields. It calls this in the transaction that reads the stored value
    /// and writes the new one.
    ///
    /// ```ignore
    /// let (event, admission) = context.prepare(&request, Some(&stored))?;
    /// // … store `event` …
    /// Ok(admission.reply(event))
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`admit`](Self::admit) and [`admit_absent`](Self::admit_absent).
    pub fn prepare<R>(&self, request: &R, stored: Option<&R::Resource>) -> Result<(R::Resource, Admission<R>), Error>
    where
        R: WriteRequest<Resource = <R as Request>::Response>,
    {
        self.prepare_as::<R, R>(request, stored)
    }

    /// Like [`prepare`](Self::prepare), for operations whose response is not the resource: `Read` is the operation
    /// whose response is, and which defines its entity tag.
    ///
    /// # Errors
    /// Returns the same errors as [`prepare`](Self::prepare).
    pub fn prepare_as<Read, R>(
        &self,
        request: &R,
        stored: Option<&R::Resource>,
    ) -> Result<(R::Resource, Admission<R>), Error>
    where
        Read: Request<Response = R::Resource>,
        R: WriteRequest,
    {
        let admission = match stored {
            Some(stored) => self.admit_as::<Read, R>(request, stored)?,
            None => self.admit_absent(request)?,
        };
        let context = WriteContext { operation: self.operation().name, effective: &self.effective };
        let mut value = request.apply_to(stored);
        // Whether a field has an effect can depend on fields that a merge patch does not change.
        value.strip_ineffective(&context);
        if let Some(stored) = stored {
            value.restore_stored(stored, &context);
        }
        Ok((value, admission))
    }

    /// Checks whether the request may change the stored value, and returns the admission that creates the reply.
    ///
    /// `If-Match` and `If-None-Match`, if present, must allow a change of the stored version (RFC 9110, sections 13.1.1
    /// and 13.1.2), and so must the rules of the API that compare with the stored value. A handler calls this after it
    /// has read the value and before it writes, in the same transaction.
    ///
    /// This is for operations whose response is the resource. For others, such as deletions, there is
    /// [`admit_as`](Self::admit_as); if the body is the value to be stored, [`prepare`](Self::prepare).
    ///
    /// # Errors
    /// Returns a 412 if a condition does not allow it, a 400 with all violations if a rule forbids the change, and a
    /// 500 if the stored value has to be encoded to compute its entity tag, and cannot be.
    pub fn admit<R: Request>(&self, request: &R, stored: &R::Response) -> Result<Admission<R>, Error> {
        self.admit_as::<R, R>(request, stored)
    }

    /// Like [`admit`](Self::admit), for operations whose response is not the resource: `Read` is the operation whose
    /// response is, and which defines its entity tag.
    ///
    /// ```ignore
    /// context.admit_as::<EventsGet, _>(&request, &stored)?;
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`admit`](Self::admit).
    pub fn admit_as<Read: Request, R: Request>(
        &self,
        request: &R,
        stored: &Read::Response,
    ) -> Result<Admission<R>, Error> {
        if self.if_match.is_some() || self.if_none_match.is_some() {
            let current = self.version_of::<Read>(stored)?;
            self.admit_version(current.as_ref())?;
        }
        self.admit_rules(request, stored)
    }

    /// Like [`admit`](Self::admit), for services that store entity tags separately: `current` is the tag of the stored
    /// value.
    ///
    /// # Errors
    /// Returns the same errors as [`admit`](Self::admit).
    pub fn admit_tagged<R: Request, T: Any>(
        &self,
        request: &R,
        stored: &T,
        current: Option<&ETag>,
    ) -> Result<Admission<R>, Error> {
        self.admit_version(current)?;
        self.admit_rules(request, stored)
    }

    /// Checks a request against the rules over the stored value.
    fn admit_rules<R: Request>(&self, request: &R, stored: &dyn Any) -> Result<Admission<R>, Error> {
        let checked = self.rules.and_then(|rules| rules.check_request(R::OPERATION, request, Some(stored)));
        match checked {
            Some(Err(mut violations)) => {
                let sent = SentNames::new(R::API, R::OPERATION, self.parts.uri.query(), self.naming());
                sent.with_headers(&self.parts.headers).rename(&mut violations);
                Err(violations.into())
            }
            Some(Ok(_)) | None => Ok(Admission::new()),
        }
    }

    /// Checks whether the conditions of the request allow a change of that version, which [`admit`](Self::admit) and
    /// [`admit_tagged`](Self::admit_tagged) do first.
    ///
    /// `If-Match` is compared strongly: a weak tag does not match. On a write, `If-None-Match` requires that there is
    /// no stored value, or none of that version (RFC 9110, section 13.1.2).
    ///
    /// # Errors
    /// Returns a 412 if they do not.
    pub fn admit_version(&self, current: Option<&ETag>) -> Result<(), Error> {
        use wireform_runtime::etag::ETagCondition::Any;

        let matches = match (&self.if_match, current) {
            (None | Some(Any), _) => true,
            (Some(condition), Some(current)) => condition.matches_strong(current),
            (Some(_), None) => false,
        };
        if !matches {
            return Err(precondition_failed(
                "If-Match",
                "the current version of the resource does not match `If-Match`",
            ));
        }
        let unwanted = match (&self.if_none_match, current) {
            _ if self.contract.operation.safe => false,
            (None, _) => false,
            (Some(Any), _) => true,
            (Some(condition), current) => current.is_some_and(|current| condition.matches_weak(current)),
        };
        if unwanted {
            return Err(precondition_failed(
                "If-None-Match",
                "the current version of the resource matches `If-None-Match`",
            ));
        }
        Ok(())
    }

    /// Checks whether the conditions of the request allow that there is no stored value: `If-Match` never does. A
    /// handler that creates the value calls this first; one that returns 404 need not.
    ///
    /// # Errors
    /// Returns a 412 if the request has `If-Match`.
    pub fn admit_absent<R: Request>(&self, _request: &R) -> Result<Admission<R>, Error> {
        match self.if_match {
            Some(_) => Err(precondition_failed("If-Match", "`If-Match` requires an existing resource")),
            None => Ok(Admission::new()),
        }
    }

    /// Admits a request that is checked elsewhere, for example by the server behind a proxy. Nothing is checked here.
    pub const fn assume_admitted<R: Request>(&self, _request: &R) -> Admission<R> {
        Admission::new()
    }

    /// Returns the entity tag of a value in responses of the operation `R`: that of its field, or one computed from the
    /// whole value. `None` if the value cannot have one.
    ///
    /// # Errors
    /// Returns a 500 if the value cannot be encoded.
    pub fn version_of<R: Request>(&self, value: &R::Response) -> Result<Option<ETag>, Error> {
        if let Some(tag) = version::from_field::<R>(value) {
            return Ok(Some(tag));
        }
        let mut value = value.clone();
        R::strip_input_only(&mut value);
        Ok(version::from_hash(&self.encode(|| value.encode())?))
    }
}

/// Creates the error of a failed condition: a 412 at the header.
fn precondition_failed(header: &'static str, message: &'static str) -> Error {
    Error::precondition_failed(message).with_location(ErrorLocation::Header(header.into()))
}

#[cfg(test)]
mod tests;
