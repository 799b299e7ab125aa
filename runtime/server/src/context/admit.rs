//! Whether a request may change what is stored.

use wireform_runtime::etag::ETag;
use wireform_runtime::{Answer, Direction, Request};

use super::Context;
use crate::answer::version;
use crate::error::{At, Error};
use crate::receive::SentNames;

impl Context {
    /// Whether the request may change what is stored: `If-Match`, if it came, names the version that is stored (RFC
    /// 9110, section 13.1.1), and the rules of the API allow the change. A handler that writes asks this once it has
    /// read what it is about to change, before it changes anything, and in the same transaction.
    ///
    /// This is for operations that answer with the resource. One that answers with something else, as a deletion
    /// does, asks [`admit_as`](Self::admit_as).
    ///
    /// # Errors
    /// 412 when it is another version, 400 with all violations when a rule forbids the change.
    pub fn admit<R: Request>(&self, request: &R, stored: &R::Response) -> Result<(), Error> {
        self.admit_as::<R, R>(request, stored)
    }

    /// What is stored once a whole resource was sent in its place: `body`, and of `stored` what no client can say, which
    /// is what only the server writes and what does not change after creation. Elements of lists are new ones, with
    /// nothing of the old.
    #[must_use]
    pub fn replaced<T: Direction>(&self, stored: &T, mut body: T) -> T {
        body.keep_stored(stored, self.operation().name);
        body
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
    pub fn admit_as<Read: Request, R: Request>(&self, request: &R, stored: &Read::Response) -> Result<(), Error> {
        if self.if_match.is_some() || self.if_none_match.is_some() {
            let current = self.version_of::<Read>(stored)?;
            self.admit_version(current.as_ref())?;
        }
        let checked = self.rules.and_then(|rules| rules.check_request(R::OPERATION, request, Some(stored)));
        match checked {
            Some(Err(mut violations)) => {
                let sent = SentNames::new(R::API, R::OPERATION, self.parts.uri.query(), self.names());
                sent.with_headers(&self.parts.headers).rename(&mut violations);
                Err(violations.into())
            }
            Some(Ok(_)) | None => Ok(()),
        }
    }

    /// Whether the conditions of the request allow to change something of that version: what
    /// [`admit`](Self::admit) asks first, for services that keep tags beside what they stand for.
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
    pub fn absent(&self) -> Result<(), Error> {
        match self.if_match {
            Some(_) => Err(failed("If-Match", "there is no resource, and If-Match demands one")),
            None => Ok(()),
        }
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
    Error::precondition_failed(message).with_reason("conditionNotMet").at(At::Header(header.into()))
}

#[cfg(test)]
mod tests;
