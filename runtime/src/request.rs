//! Requests: a typed value with the parameters and the body of one operation, and its way onto the wire.

mod errors;
mod flow;
mod format;
mod from_parameter;
mod headers;
mod long_running;
mod parameter;
mod parts;
mod path;

pub use errors::{DecodeCase, ErrorCase, ErrorParts, ErrorStatuses, OperationError, read_error};
pub use flow::{Carried, Paged, PatchesRead, Synced, UpdatesRead, Writes, patched};
pub use format::Format;
pub(crate) use format::place_of;
pub use from_parameter::{FromParameter, FromParameters, ParameterError, ParameterTexts};
pub use headers::{AnswerHeaders, HeaderLines, HeaderPut, read_header, write_header};
pub use long_running::{LongRunning, Stage, StageOf, typed, untyped};
pub use parameter::{ParameterValues, ToParameter};
pub use parts::{Parts, RequestError, RequestErrorKind, WireRequest};

use std::fmt::Debug;

use serde::de::DeserializeOwned;

use crate::effective::Effective;
use crate::fields::{AnySelection, Shape};
use crate::names::Names;
use crate::operation::{Api, Operation};
use crate::wire::FromWire;
use crate::xml::Root;

/// The parameters and the body of one operation. Generated code implements it for a struct an operation.
pub trait Request: Clone + Debug + Send + Sync + 'static {
    /// The API.
    const API: &'static Api;

    /// The operation.
    const OPERATION: &'static Operation;

    /// The media type of the body.
    const CONTENT_TYPE: &'static str = "application/json";

    /// The media types that a success answers, as `Accept` lists them.
    const ACCEPT: &'static str = "application/json";

    /// Whether a success is one of several alternatives, of which the header `Accept` chooses.
    const NEGOTIATED: bool = false;

    /// How the body is XML, where it can be and is not one of several alternatives.
    const BODY_XML: Option<&'static Root> = None;

    /// How a success is XML, where it can be and is not one of several alternatives.
    const XML: Option<&'static Root> = None;

    /// Whether the answer can be had as media, with `alt=media` in the query.
    const DOWNLOAD: bool = false;

    /// What a success answers; `()` where there is no body.
    type Response: Answer;

    /// What an error answers.
    type ErrorBody: Answer;

    /// Drops what only the server writes: people read a resource, change it and send all of it back.
    fn prepare(&mut self) {}

    /// Whether the schema refuses some of what only the server writes, rather than have it dropped.
    const REFUSES_OUTPUT_ONLY: bool = false;

    /// Drops what only the server writes and the schema does not refuse, as a server does before it checks a request:
    /// what is dropped is not checked.
    fn drop_output_only(&mut self) {
        self.prepare();
    }

    /// Drops the members of the body that have no effect in this request, as a server does before it checks it.
    fn drop_ineffective(&mut self, _effective: &Effective) {}

    /// Drops what only a client writes from an answer.
    fn conceal(_response: &mut Self::Response) {}

    /// Fills in what a client makes up, such as the identifier of a request; `new_id` makes a fresh one. It is
    /// called once a call, however often the call is sent.
    fn fill(&mut self, _new_id: &mut dyn FnMut() -> String) {}

    /// The members of the answer, from which a partial answer is selected; none where it has no members.
    const SHAPE: Option<&'static Shape> = None;

    /// The status of a success that has no body, where others have one: the response is an `Option` then.
    const BODILESS: Option<u16> = None;

    /// Returns whether a response goes onto the wire with a body, where some have none.
    fn has_body(_response: &Self::Response) -> bool {
        true
    }

    /// How a response is XML, where it can be.
    fn xml(_response: &Self::Response) -> Option<&'static Root> {
        Self::XML
    }

    /// The member in which an answer carries its entity tag, as it is on the wire.
    const ETAG: Option<&'static str> = None;

    /// Returns the entity tag that an answer carries in a member.
    fn etag(_response: &Self::Response) -> Option<&str> {
        None
    }

    /// Sets the member of an answer that carries its entity tag, where it has one.
    fn set_etag(_response: &mut Self::Response, _etag: &str) {}

    /// Writes parameters and body.
    fn write(&self, parts: &mut Parts);

    /// Returns the request as it goes onto the wire.
    ///
    /// # Errors
    /// Returns an error if a parameter cannot stand in its place, or the body cannot be encoded.
    fn to_wire(&self, names: Names) -> Result<WireRequest, RequestError> {
        let mut parts = Parts::new(Self::API, Self::OPERATION, names);
        crate::names::spelled(names, || self.write(&mut parts));
        parts.finish()
    }
}

/// The body of an answer.
pub trait Answer: Sized + Clone + Debug + Send + Sync + 'static {
    /// Whether an answer without a body is the value.
    const EMPTY: bool = false;

    /// Whether the body is taken as it is, rather than as JSON.
    const RAW: bool = false;

    /// Decodes the body.
    ///
    /// # Errors
    /// Returns an error if it is not JSON of the type.
    fn decode(body: &[u8]) -> Result<Self, crate::json::DecodeError>;

    /// Decodes the body, of which the server says that it is of that media type.
    ///
    /// # Errors
    /// Returns the errors of [`decode`](Self::decode).
    fn decode_as(body: &[u8], _content_type: Option<&str>) -> Result<Self, crate::json::DecodeError> {
        Self::decode(body)
    }

    /// Returns the media type of the body, where the value says it.
    fn content_type(&self) -> Option<&str> {
        None
    }

    /// Returns whether this value goes onto the wire as it is, rather than as JSON.
    fn is_raw(&self) -> bool {
        Self::RAW
    }

    /// Encodes the body; nothing where there is none.
    ///
    /// # Errors
    /// Returns the errors of [`json::to_vec`](crate::json::to_vec).
    fn encode(&self) -> Result<Vec<u8>, crate::json::EncodeError>;

    /// Encodes the members of the body that are selected; nothing where there is no body.
    ///
    /// # Errors
    /// Returns the errors of [`AnySelection::to_vec`].
    fn encode_selected(&self, selection: &AnySelection) -> Result<Vec<u8>, crate::json::EncodeError>;
}

impl<T> Answer for T
where
    T: Clone + Debug + Send + Sync + 'static + DeserializeOwned + serde::Serialize + for<'de> FromWire<'de>,
{
    fn decode(body: &[u8]) -> Result<Self, crate::json::DecodeError> {
        crate::json::from_slice(body)
    }

    fn encode(&self) -> Result<Vec<u8>, crate::json::EncodeError> {
        crate::json::to_vec(self)
    }

    fn encode_selected(&self, selection: &AnySelection) -> Result<Vec<u8>, crate::json::EncodeError> {
        selection.to_vec(self)
    }
}

impl Answer for () {
    const EMPTY: bool = true;

    fn decode(_body: &[u8]) -> Result<Self, crate::json::DecodeError> {
        Ok(())
    }

    fn encode(&self) -> Result<Vec<u8>, crate::json::EncodeError> {
        Ok(Vec::new())
    }

    fn encode_selected(&self, _selection: &AnySelection) -> Result<Vec<u8>, crate::json::EncodeError> {
        Ok(Vec::new())
    }
}
