//! Bodies that are taken as they are.

use http::header::CONTENT_TYPE;
use wireform_runtime::{Raw, RawContent, Request};
use wireform_validation::{At, CheckRequests, Validates};

use super::{Incoming, Parameters};
use crate::context::Context;
use crate::error::Error;

impl Incoming {
    /// The request of an operation whose body is taken as it is; `read` puts it together from its parameters and the
    /// body.
    ///
    /// # Errors
    /// 400 with all that is wrong; 406 when nothing that the operation answers is taken, 415 when the body is of a type
    /// that it does not take; what reading a body can lead to, such as 413.
    pub fn receive_raw<R, T, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, Raw<T>) -> R,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        T: RawContent,
        V: Validates<R> + CheckRequests,
    {
        self.raw(rules, |parameters, body| read(parameters, body.unwrap_or_default()))
    }

    /// The request of an operation that can have such a body; one without any bytes is none.
    ///
    /// # Errors
    /// Those of [`receive_raw`](Self::receive_raw).
    pub fn receive_optional_raw<R, T, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, Option<Raw<T>>) -> R,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        T: RawContent,
        V: Validates<R> + CheckRequests,
    {
        self.raw(rules, |parameters, body| {
            read(parameters, body.filter(|body: &Raw<T>| !body.content().as_body().is_empty()))
        })
    }

    fn raw<R, T, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, Option<Raw<T>>) -> R,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        T: RawContent,
        V: Validates<R> + CheckRequests,
    {
        self.check_accept::<R>()?;
        let content_type = self.parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let body = Raw::from_body(self.body.to_vec(), content_type);
        self.request(rules, |wire, mut unread| {
            let body = body.map_err(|message| unread.refuse(At::BODY, "type", message)).ok();
            let request = read(&mut Parameters::new(wire, &mut unread), body);
            let warnings = unread.check(rules, &request)?;
            Ok((request, warnings))
        })
    }
}
