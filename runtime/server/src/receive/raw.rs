//! Raw bodies.

use http::header::CONTENT_TYPE;
use wireform_runtime::{RawBody, RawContent, Request};
use wireform_validation::{__private::Location, CheckRequests, Validates};

use super::{Incoming, Parameters};
use crate::context::Context;
use crate::error::Error;

impl Incoming {
    /// Parses the request of an operation with a raw body; `read` builds it from its parameters and the body.
    ///
    /// # Errors
    /// Returns a 400 with all violations; a 406 if `Accept` excludes every media type of the response.
    pub fn receive_raw<R, T, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, RawBody<T>) -> R,
    ) -> Result<(Box<R>, Box<Context>), Error>
    where
        R: Request,
        T: RawContent,
        V: Validates<R> + CheckRequests,
    {
        self.build_raw_request(rules, |parameters, body| read(parameters, body.unwrap_or_default()))
    }

    /// Parses the request of an operation with an optional raw body; an empty one counts as absent.
    ///
    /// # Errors
    /// Returns the same errors as [`receive_raw`](Self::receive_raw).
    pub fn receive_optional_raw<R, T, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, Option<RawBody<T>>) -> R,
    ) -> Result<(Box<R>, Box<Context>), Error>
    where
        R: Request,
        T: RawContent,
        V: Validates<R> + CheckRequests,
    {
        self.build_raw_request(rules, |parameters, body| {
            read(parameters, body.filter(|body: &RawBody<T>| !body.content().as_body().is_empty()))
        })
    }

    /// Builds a request whose body is raw content; `read` builds it from its parameters and body.
    fn build_raw_request<R, T, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, Option<RawBody<T>>) -> R,
    ) -> Result<(Box<R>, Box<Context>), Error>
    where
        R: Request,
        T: RawContent,
        V: Validates<R> + CheckRequests,
    {
        let content_type = self.parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let body = RawBody::from_body(self.body.to_vec(), content_type);
        self.receive_parameters(rules, |parameters| {
            let body = body.map_err(|message| parameters.unread.reject(Location::BODY, "type", message)).ok();
            read(parameters, body)
        })
    }
}
