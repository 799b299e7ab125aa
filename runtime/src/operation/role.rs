//! Roles: what clients and servers know of the parameters that every operation of an API takes, whatever their names.

use super::{Api, Location, Parameter};

/// What a parameter that every operation takes is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The API key that names the calling program.
    ApiKey,
    /// An access token, in place of the header `Authorization`.
    AccessToken,
    /// The form of the response: JSON, or the media themselves. The values are in [`Api::values`].
    Format,
    /// The fields that the response has.
    Fields,
    /// Whether the response is indented.
    PrettyPrint,
    /// The user on whose account the request is counted.
    QuotaUser,
    /// The function that a script response would call.
    Callback,
    /// How media are uploaded. The values are in [`Api::values`].
    UploadType,
    /// The version of the upload protocol, which clients and servers leave as it is.
    UploadProtocol,
}

impl Role {
    /// Returns whether only the client itself sets the parameter: another value would change how client and server talk,
    /// or who talks.
    #[must_use]
    pub const fn is_reserved(self) -> bool {
        !matches!(self, Self::Fields | Self::PrettyPrint | Self::QuotaUser)
    }
}

/// The values that parameters of some roles have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleValues {
    /// [`Role::Format`]: the response is JSON.
    pub json: &'static str,
    /// [`Role::Format`]: the response is the media themselves.
    pub media: &'static str,
    /// [`Role::UploadType`]: the media are the body.
    pub simple: &'static str,
    /// [`Role::UploadType`]: the media are the second part of the body.
    pub multipart: &'static str,
    /// [`Role::UploadType`]: the media come in pieces.
    pub resumable: &'static str,
}

impl RoleValues {
    /// The values of a schema that names no others.
    pub const STANDARD: Self =
        Self { json: "json", media: "media", simple: "media", multipart: "multipart", resumable: "resumable" };
}

impl Api {
    /// Returns the first parameter of the query with that role.
    #[must_use]
    pub fn parameter(&self, role: Role) -> Option<&'static Parameter> {
        self.parameters(role).next()
    }

    /// Returns the parameters of the query with that role.
    pub fn parameters(&self, role: Role) -> impl Iterator<Item = &'static Parameter> + use<> {
        let standard = self.standard;
        standard.iter().filter(move |parameter| parameter.role == Some(role) && parameter.location == Location::Query)
    }
}
