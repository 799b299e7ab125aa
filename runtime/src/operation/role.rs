//! Roles of standard parameters, by which clients and servers know them regardless of their names.

use super::{Api, Parameter, ParameterLocation};

/// Role of a standard parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// API key that names the calling program.
    ApiKey,
    /// Access token, in place of the header `Authorization`.
    AccessToken,
    /// Format of the response: JSON, or the media themselves. The values are in [`Api::role_values`].
    Format,
    /// Field selection for a partial response.
    Fields,
    /// Indentation of the response.
    PrettyPrint,
    /// User whose quota the request is charged to.
    QuotaUser,
    /// Function that a JSONP response would call.
    Callback,
    /// Upload protocol of media. The values are in [`Api::role_values`].
    UploadType,
    /// Version of the upload protocol, which clients and servers pass through.
    UploadProtocol,
}

impl Role {
    /// Returns whether the parameter is reserved for the client runtime, because another value would change the
    /// protocol or the caller.
    #[must_use]
    pub const fn is_reserved(self) -> bool {
        !matches!(self, Self::Fields | Self::PrettyPrint | Self::QuotaUser)
    }
}

/// Values of the parameters of some roles.
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
    /// [`Role::UploadType`]: the media are sent in several requests.
    pub resumable: &'static str,
}

impl RoleValues {
    /// Values of a schema that declares no others.
    pub const STANDARD: Self =
        Self { json: "json", media: "media", simple: "media", multipart: "multipart", resumable: "resumable" };
}

impl Api {
    /// Returns the first query parameter with a role.
    #[must_use]
    pub fn parameter(&self, role: Role) -> Option<&'static Parameter> {
        self.parameters(role).next()
    }

    /// Returns the query parameters with a role.
    pub fn parameters(&self, role: Role) -> impl Iterator<Item = &'static Parameter> + use<> {
        let standard = self.standard_parameters;
        standard
            .iter()
            .filter(move |parameter| parameter.role == Some(role) && parameter.location == ParameterLocation::Query)
    }
}
