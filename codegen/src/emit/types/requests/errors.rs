//! Errors of operations that have bodies of their own.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::{ToTokens as _, quote};

use super::super::super::docs;
use super::super::super::operation_docs;
use super::super::super::rust::{RustTypes, ident};
use super::structs;
use crate::model::{ErrorCase, ErrorStatus, Operation, Type, first_concrete_type};

/// Returns the enum of an operation's errors:
///
/// ```text
/// /// Errors of `notes.get`, with their bodies.
/// #[derive(Clone, Debug, PartialEq)]
/// #[non_exhaustive]
/// pub enum NotesGetError {
///     /// 404: There is none.
///     NotFound(crate::Missing),
///     /// default: Any other error.
///     Default(u16, crate::Failure),
/// }
/// ::wireform_runtime::operation_error! {
///     NotesGetError, NotesGet, { NotFound = 404 as "application/json" }, { Default = Default as "application/json" }
/// }
/// ```
pub fn items(rust: &RustTypes<'_>, operation: &Operation) -> Vec<TokenStream> {
    if operation.types.error.is_empty() {
        return Vec::new();
    }
    let cases: Vec<ErrorVariant<'_>> =
        operation.errors.iter().filter_map(|error| ErrorVariant::new(rust, error)).collect();
    let (name, request) = (ident(&operation.types.error), ident(&operation.types.request));
    let doc = format!(" Errors of {}, with their bodies.", docs::code_span(&operation.name));
    let variants = cases.iter().map(ErrorVariant::variant);
    let (exact, others): (Vec<_>, Vec<_>) =
        cases.iter().partition(|case| matches!(case.error.status, ErrorStatus::Exact(_)));
    let (exact, others) = (exact.into_iter().map(ErrorVariant::entry), others.into_iter().map(ErrorVariant::entry));
    vec![
        quote! {
            #[doc = #doc]
            #[derive(Clone, Debug, PartialEq)]
            #[non_exhaustive]
            pub enum #name {
                #(#variants,)*
            }
        },
        quote! {
            ::wireform_runtime::operation_error! {
                #name, #request, { #(#exact),* }, { #(#others),* }
            }
        },
    ]
}

/// Error as a variant.
struct ErrorVariant<'m> {
    error: &'m ErrorCase,
    variant: proc_macro2::Ident,
    ty: TokenStream,
    content_type: &'m str,
}

impl<'m> ErrorVariant<'m> {
    /// Creates the variant of an error, or `None` if neither the error nor the API has a body.
    fn new(rust: &RustTypes<'m>, error: &'m ErrorCase) -> Option<Self> {
        let ty = match (error.raw(), &error.body) {
            (Some(raw), _) => structs::raw_type(rust, raw),
            (None, Some(ty)) => rust.ty(ty),
            (None, None) => rust.ty(&Type::Resource(rust.api.error_body?)),
        };
        let content_type = error.json_type().unwrap_or_else(|| first_concrete_type(&error.content_types));
        Some(Self { error, variant: ident(&variant(error.status)), ty, content_type })
    }

    /// Emits the variant of the error enum; for a class of statuses it contains the status too.
    fn variant(&self) -> TokenStream {
        let Self { error, variant, ty, .. } = self;
        let doc = docs::line_attribute(operation_docs::error_docs(error).trim_start_matches("* "));
        match error.status {
            ErrorStatus::Exact(_) => quote! { #doc #variant(#ty) },
            ErrorStatus::Class(_) | ErrorStatus::Default => quote! { #doc #variant(u16, #ty) },
        }
    }

    /// Returns the entry of the macro: `NotFound = 404 as "application/json"`.
    fn entry(&self) -> TokenStream {
        let Self { variant, content_type, .. } = self;
        let status = match self.error.status {
            ErrorStatus::Exact(status) => Lit::u16_unsuffixed(status).into_token_stream(),
            ErrorStatus::Class(class) => {
                let class = Lit::u8_unsuffixed(class);
                quote!(Class(#class))
            }
            ErrorStatus::Default => quote!(Default),
        };
        quote!(#variant = #status as #content_type)
    }
}

/// Returns the name of a variant: that of the status (IANA HTTP Status Code Registry) or of the class.
fn variant(status: ErrorStatus) -> String {
    match status {
        ErrorStatus::Exact(status) => match reason(status) {
            Some(name) => name.to_owned(),
            None => format!("Status{status}"),
        },
        ErrorStatus::Class(4) => "ClientError".to_owned(),
        ErrorStatus::Class(_) => "ServerError".to_owned(),
        ErrorStatus::Default => "Default".to_owned(),
    }
}

/// Returns the reason phrase of a status (RFC 9110) in `PascalCase`; `None` for unregistered statuses.
pub const fn reason(status: u16) -> Option<&'static str> {
    Some(match status {
        200 => "Ok",
        201 => "Created",
        202 => "Accepted",
        203 => "NonAuthoritativeInformation",
        204 => "NoContent",
        205 => "ResetContent",
        206 => "PartialContent",
        207 => "MultiStatus",
        208 => "AlreadyReported",
        226 => "ImUsed",
        300 => "MultipleChoices",
        301 => "MovedPermanently",
        302 => "Found",
        303 => "SeeOther",
        304 => "NotModified",
        307 => "TemporaryRedirect",
        308 => "PermanentRedirect",
        400 => "BadRequest",
        401 => "Unauthorized",
        402 => "PaymentRequired",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        407 => "ProxyAuthenticationRequired",
        408 => "RequestTimeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "LengthRequired",
        412 => "PreconditionFailed",
        413 => "ContentTooLarge",
        414 => "UriTooLong",
        415 => "UnsupportedMediaType",
        416 => "RangeNotSatisfiable",
        417 => "ExpectationFailed",
        421 => "MisdirectedRequest",
        422 => "UnprocessableContent",
        423 => "Locked",
        424 => "FailedDependency",
        425 => "TooEarly",
        426 => "UpgradeRequired",
        428 => "PreconditionRequired",
        429 => "TooManyRequests",
        431 => "RequestHeaderFieldsTooLarge",
        451 => "UnavailableForLegalReasons",
        500 => "InternalServerError",
        501 => "NotImplemented",
        502 => "BadGateway",
        503 => "ServiceUnavailable",
        504 => "GatewayTimeout",
        505 => "HttpVersionNotSupported",
        506 => "VariantAlsoNegotiates",
        507 => "InsufficientStorage",
        508 => "LoopDetected",
        511 => "NetworkAuthenticationRequired",
        _ => return None,
    })
}
