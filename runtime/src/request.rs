//! Requests: typed values with the parameters and the body of an operation, and their encoding.

mod encoder;
mod errors;
mod flow;
mod format;
mod headers;
mod long_running;
mod parameter;
mod path;
mod status;

pub use encoder::{RequestEncoder, RequestError, RequestErrorKind, WireRequest};
pub use errors::{DecodeCase, ErrorCase, ErrorParts, ErrorStatuses, OperationError, read_error};
pub use flow::hash_items;
pub use flow::{
    PagePosition, Paginated, ReadForPatch, ReadForUpdate, Syncable, TokenParameter, WriteRequest, apply_patch,
};
pub use format::ResponseAlternative;
pub(crate) use format::alternative_index;
pub use headers::{HeaderLookup, HeaderSink, ResponseHeaders, read_header, write_header};
pub use long_running::{LongRunning, OperationState, OperationStateOf, to_typed, to_untyped};
pub use parameter::{ParameterValues, ToParameter};
pub use path::encode as percent_encode;
pub use status::undeclared_status;

use std::fmt::Debug;

use crate::conditions::ConditionSet;
use crate::fields::Shape;
use crate::naming::Naming;
use crate::operation::{Api, Operation};
use crate::wire_body::WireBody;
use crate::xml::XmlRoot;

/// Parameters and body of an operation. Generated code implements it for one struct per operation.
pub trait Request: Clone + Debug + Send + Sync + 'static {
    /// API of the operation.
    const API: &'static Api;

    /// Description of the operation.
    const OPERATION: &'static Operation;

    /// Media type of the body.
    const CONTENT_TYPE: &'static str = "application/json";

    /// Media types of a successful response, as `Accept` lists them.
    const ACCEPT: &'static str = "application/json";

    /// True if a successful response has several alternatives, of which the header `Accept` selects one.
    const HAS_ALTERNATIVES: bool = false;

    /// XML description of the body, if it can be XML and is not one of several alternatives.
    const BODY_XML: Option<&'static XmlRoot> = None;

    /// XML description of a successful response, if it can be XML and is not one of several alternatives.
    const RESPONSE_XML: Option<&'static XmlRoot> = None;

    /// True if the response can be requested as media, with the parameter whose role is `format`.
    const SUPPORTS_DOWNLOAD: bool = false;

    /// Body of a successful response; `()` if there is none.
    type Response: WireBody;

    /// Body of an error response.
    type ErrorBody: WireBody;

    /// Clears output-only fields: clients read a resource, change it and send all of it back.
    fn strip_output_only(&mut self) {}

    /// True if the schema rejects some output-only fields instead of dropping them.
    const REJECTS_OUTPUT_ONLY: bool = false;

    /// Clears the output-only fields that the schema does not reject, as a server does before it validates a request:
    /// dropped fields are not validated.
    fn strip_ignored_output_only(&mut self) {
        self.strip_output_only();
    }

    /// Clears the fields of the body that have no effect in this request, as a server does before it validates it.
    fn strip_ineffective(&mut self, _effective: &ConditionSet) {}

    /// Clears input-only fields of a response.
    fn strip_input_only(_response: &mut Self::Response) {}

    /// Fills in the values that a client generates, such as the request id; `new_id` generates one. It is called once
    /// per call, regardless of retries.
    fn fill(&mut self, _new_id: &mut dyn FnMut() -> String) {}

    /// Shape of the response, for the selection of a partial response; `None` if it has no fields.
    const RESPONSE_SHAPE: Option<&'static Shape> = None;

    /// Status of a successful response without a body, if others have one: the response is an `Option` then.
    const NO_BODY_STATUS: Option<u16> = None;

    /// Statuses of declared redirections, which a client returns instead of following them: like a success without a body,
    /// or as an error if each success has a body.
    const REDIRECTS: &'static [u16] = &[];

    /// Media types of JSON by status, where they differ from that of the other statuses.
    const JSON_TYPES: &'static [(u16, &'static str)] = &[];

    /// Public URL of the server, in place of that of the API, without a trailing slash.
    const ROOT_URL: Option<&'static str> = None;

    /// Returns whether a response has a body, if some have none.
    fn has_body(_response: &Self::Response) -> bool {
        true
    }

    /// Returns the XML description of a response, if it can be XML.
    fn response_xml(_response: &Self::Response) -> Option<&'static XmlRoot> {
        Self::RESPONSE_XML
    }

    /// Wire name of the field that holds the entity tag of the response.
    const ETAG_FIELD: Option<&'static str> = None;

    /// Returns the entity tag in a field of the response; `None` if it is absent or there is no such field.
    fn etag(_response: &Self::Response) -> Option<&str> {
        None
    }

    /// Sets the field that holds the entity tag of the response, if it has one.
    fn set_etag(_response: &mut Self::Response, _etag: &str) {}

    /// Writes the parameters and the body.
    fn write(&self, parts: &mut RequestEncoder);

    /// Encodes the request.
    ///
    /// # Errors
    /// Returns an error if a path parameter is missing, a parameter is invalid in its location, or the body cannot be
    /// encoded.
    fn to_wire(&self, names: Naming) -> Result<WireRequest, RequestError> {
        let mut parts = RequestEncoder::new(Self::API, Self::OPERATION, names);
        crate::naming::with_naming(names, || self.write(&mut parts));
        parts.finish()
    }
}
