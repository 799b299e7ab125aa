//! Whether a request may change what is stored, and what it makes of that.

use std::any::Any;

use wireform_runtime::etag::ETag;
use wireform_runtime::{Answer, Direction as _, Request, WriteContext, Writes};

use super::Context;
use crate::admission::Admission;
use crate::answer::version;
use crate::error::{At, Error};
use crate::receive::SentNames;

impl Context {
    /// Returns what is to be stored, and the proof that the request may change what is stored now: for writes whose body
    /// is the resource, as a whole or as a merge patch, whether something is stored or not.
    ///
    /// * What is stored is held against the request as [`admit`](Self::admit) does; where nothing is, as
    ///   [`admit_absent`](Self::admit_absent) does.
    /// * A whole resource takes the place of the stored one, and a merge patch changes it.
    /// * Members that only the server writes, and members that do not change after creation, stay as they are stored.
    /// * Members without an effect (`effective_when` and `ignored` in the schema) stay as they are stored, and are left
    ///   out where nothing is.
    /// * Elements of lists keep such members of the stored element with the same identifier.
    ///
    /// Members that only the server writes are then for the handler to bring up to date. It calls this in the transaction
    /// that reads the stored value and writes the new one.
    ///
    /// ```ignore
    /// let (event, admission) = context.prepare(&request, Some(&stored))?;
    /// // … store `event` …
    /// Ok(admission.reply(event))
    /// ```
    ///
    /// # Errors
    /// Those of [`admit`](Self::admit) and [`admit_absent`](Self::admit_absent).
    pub fn prepare<R>(&self, request: &R, stored: Option<&R::Resource>) -> Result<(R::Resource, Admission<R>), Error>
    where
        R: Writes<Resource = <R as Request>::Response>,
    {
        self.prepare_as::<R, R>(request, stored)
    }

    /// The same as [`prepare`](Self::prepare) where the operation does not answer with the resource: `Read` is the
    /// operation that does, and that says where its entity tag is.
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare).
    pub fn prepare_as<Read, R>(
        &self,
        request: &R,
        stored: Option<&R::Resource>,
    ) -> Result<(R::Resource, Admission<R>), Error>
    where
        Read: Request<Response = R::Resource>,
        R: Writes,
    {
        let admission = match stored {
            Some(stored) => self.admit_as::<Read, R>(request, stored)?,
            None => self.admit_absent(request)?,
        };
        let context = WriteContext { operation: self.operation().name, effective: &self.effective };
        let mut value = request.merged(stored);
        // What of it has no effect can depend on members that a merge patch leaves as they are.
        value.drop_ineffective(&context);
        if let Some(stored) = stored {
            value.keep_stored(stored, &context);
        }
        Ok((value, admission))
    }

    /// Whether the request may change what is stored: `If-Match`, if it came, names the version that is stored (RFC
    /// 9110, section 13.1.1), and the rules of the API allow the change. A handler that writes asks this once it has
    /// read what it is about to change, before it changes anything, and in the same transaction.
    ///
    /// This is for operations that answer with the resource. One that answers with something else, as a deletion
    /// does, asks [`admit_as`](Self::admit_as). One whose body is what will be stored asks [`prepare`](Self::prepare).
    ///
    /// # Errors
    /// 412 when it is another version, 400 with all violations when a rule forbids the change.
    pub fn admit<R: Request>(&self, request: &R, stored: &R::Response) -> Result<Admission<R>, Error> {
        self.admit_as::<R, R>(request, stored)
    }

    /// The same as [`admit`](Self::admit) where the operation does not answer with the resource: `Read` is the operation that does, and that
    /// says where its entity tag is.
    ///
    /// ```ignore
    /// context.admit_as::<EventsGet, _>(&request, &stored)?;
    /// ```
    ///
    /// # Errors
    /// Those of [`admit`](Self::admit).
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

    /// The same as [`admit`](Self::admit) for services that keep entity tags beside what they stand for: `current` is
    /// the tag of what is stored.
    ///
    /// # Errors
    /// Those of [`admit`](Self::admit).
    pub fn admit_tagged<R: Request, T: Any>(
        &self,
        request: &R,
        stored: &T,
        current: Option<&ETag>,
    ) -> Result<Admission<R>, Error> {
        self.admit_version(current)?;
        self.admit_rules(request, stored)
    }

    /// Holds a request against the rules over what is stored.
    fn admit_rules<R: Request>(&self, request: &R, stored: &dyn Any) -> Result<Admission<R>, Error> {
        let checked = self.rules.and_then(|rules| rules.check_request(R::OPERATION, request, Some(stored)));
        match checked {
            Some(Err(mut violations)) => {
                let sent = SentNames::new(R::API, R::OPERATION, self.parts.uri.query(), self.names());
                sent.with_headers(&self.parts.headers).rename(&mut violations);
                Err(violations.into())
            }
            Some(Ok(_)) | None => Ok(Admission::new()),
        }
    }

    /// Whether the conditions of the request allow to change something of that version: what
    /// [`admit`](Self::admit) and [`admit_tagged`](Self::admit_tagged) ask first.
    ///
    /// `If-Match` is compared strongly: a weak tag does not match. On a write `If-None-Match` is for what must not be
    /// there, or not in that version (RFC 9110, section 13.1.2).
    ///
    /// # Errors
    /// 412.
    pub fn admit_version(&self, current: Option<&ETag>) -> Result<(), Error> {
        use wireform_runtime::etag::ETagCondition::Any;

        let matches = match (&self.if_match, current) {
            (None | Some(Any), _) => true,
            (Some(condition), Some(current)) => condition.matches_strong(current),
            (Some(_), None) => false,
        };
        if !matches {
            return Err(failed("If-Match", "the resource is not in the version that If-Match names"));
        }
        let unwanted = match (&self.if_none_match, current) {
            _ if self.contract.operation.safe => false,
            (None, _) => false,
            (Some(Any), _) => true,
            (Some(condition), current) => current.is_some_and(|current| condition.matches_weak(current)),
        };
        if unwanted {
            return Err(failed("If-None-Match", "the resource is there, in a version that If-None-Match excludes"));
        }
        Ok(())
    }

    /// Whether the conditions of the request allow that there is nothing: `If-Match` names a version of what is not
    /// there, so that it cannot hold. A handler that makes what is not there asks this first; one that answers 404
    /// may leave it out.
    ///
    /// # Errors
    /// 412 when the request has `If-Match`.
    pub fn admit_absent<R: Request>(&self, _request: &R) -> Result<Admission<R>, Error> {
        match self.if_match {
            Some(_) => Err(failed("If-Match", "there is no resource, and If-Match demands one")),
            None => Ok(Admission::new()),
        }
    }

    /// Admits a request that somebody else holds against what is stored, such as the server that a proxy asks. Nothing
    /// is checked here.
    pub const fn assume_admitted<R: Request>(&self, _request: &R) -> Admission<R> {
        Admission::new()
    }

    /// The entity tag with which the operation `R` answers that value: that of its member, or one that is made of the
    /// whole. None where the value cannot have one.
    ///
    /// # Errors
    /// 500 when the value cannot be encoded.
    pub fn version_of<R: Request>(&self, value: &R::Response) -> Result<Option<ETag>, Error> {
        if let Some(tag) = version::of_member::<R>(value) {
            return Ok(Some(tag));
        }
        let mut value = value.clone();
        R::conceal(&mut value);
        Ok(version::of_text(&self.encode(|| value.encode())?))
    }
}

fn failed(header: &'static str, message: &'static str) -> Error {
    Error::precondition_failed(message).at(At::Header(header.into()))
}

#[cfg(test)]
mod tests;
