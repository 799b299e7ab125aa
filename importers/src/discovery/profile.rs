//! Conventions of the publisher of Discovery documents that the documents do not state.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::file::File;
use wireform_codegen::schema::profile::{Profile, Role, RoleDef};
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::types::TypeExpr;

use crate::definition::{Definition, Item};
use crate::lowering::{text, texts};
use crate::node::Node;

/// Roles of parameters that every method takes, by their names.
const ROLES: [(&str, Role); 11] = [
    ("access_token", Role::AccessToken),
    ("alt", Role::Format),
    ("bearer_token", Role::AccessToken),
    ("callback", Role::Callback),
    ("fields", Role::Fields),
    ("key", Role::ApiKey),
    ("oauth_token", Role::AccessToken),
    ("prettyPrint", Role::PrettyPrint),
    ("quotaUser", Role::QuotaUser),
    ("uploadType", Role::UploadType),
    ("upload_protocol", Role::UploadProtocol),
];

/// Reasons of the errors that the server framework reports.
const REASONS: [(&str, &str); 25] = [
    ("malformed", "parseError"),
    ("required", "required"),
    ("invalid_parameter", "invalidParameter"),
    ("invalid", "invalid"),
    ("missing_credentials", "required"),
    ("missing_scopes", "insufficientPermissions"),
    ("page_token_expired", "pageTokenExpired"),
    ("rate_limit", "rateLimitExceeded"),
    ("401", "authError"),
    ("403", "forbidden"),
    ("404", "notFound"),
    ("405", "httpMethodNotAllowed"),
    ("406", "notAcceptable"),
    ("408", "requestTimeout"),
    ("409", "conflict"),
    ("410", "deleted"),
    ("412", "conditionNotMet"),
    ("413", "uploadTooLarge"),
    ("414", "uriTooLong"),
    ("415", "contentTypeNotSupported"),
    ("429", "rateLimitExceeded"),
    ("431", "headersTooLarge"),
    ("501", "notImplemented"),
    ("4XX", "badRequest"),
    ("5XX", "backendError"),
];

/// Reasons of a 403 that mean too many requests.
const RATE_LIMITS: [&str; 2] = ["rateLimitExceeded", "userRateLimitExceeded"];

/// Domain of quotas, with its reasons.
const QUOTA: (&str, [&str; 3]) = ("usageLimits", ["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"]);

/// Headers with the id of a request.
const REQUEST_IDS: [&str; 4] = ["x-request-id", "x-goog-request-id", "request-id", "x-guploader-uploadid"];

/// Returns the conventions that the services of the publisher share.
pub fn profile() -> Profile {
    Profile {
        domain: text(Some("global")),
        domains: [(QUOTA.0, texts(QUOTA.1))].into_iter().collect(),
        reasons: REASONS.into_iter().map(|(key, reason)| (key, reason.into())).collect(),
        rate_limits: [("403", texts(RATE_LIMITS))].into_iter().collect(),
        request_ids: texts(REQUEST_IDS),
        ..Profile::default()
    }
}

/// Returns the role of a parameter that every method takes, if its type is one that the role has.
pub fn role(wire: &str, node: &Node<'_>, parameter: &Parameter) -> Option<Short<RoleDef>> {
    let (_, role) = ROLES.into_iter().find(|(name, _)| *name == wire)?;
    let values = node.texts("enum");
    let fits = match (role, parameter.ty.name()) {
        (Role::PrettyPrint, Some("bool")) => true,
        (Role::PrettyPrint, _) => false,
        (_, Some("string")) => true,
        (Role::Format, Some(_)) => values.contains(&"json"),
        (Role::UploadType | Role::UploadProtocol, Some(_)) => !values.is_empty(),
        _ => false,
    };
    fits.then(|| of_role(role))
}

/// Returns the definition of a role without further keys.
fn of_role(role: Role) -> Short<RoleDef> {
    RoleDef { is: role.into(), ..RoleDef::default() }.into()
}

/// Adds the parameters for downloads and uploads of media, which older documents do not declare. If another parameter
/// has the name, the media that need it are omitted. `standard` is the set of parameters that every method takes.
pub fn add_media_parameters(document: &Node<'_>, standard: &str, file: &mut File, items: &mut [Item]) {
    let downloads = |item: &Item| media(item).is_some_and(|media| media.download.is_some());
    let uploads = |item: &Item| media(item).is_some_and(|media| media.simple.is_some() || media.resumable.is_some());
    let needs = [
        ("alt", Role::Format, "The format of the response.", items.iter().any(downloads)),
        ("uploadType", Role::UploadType, "The protocol of the upload.", items.iter().any(uploads)),
    ];
    for (wire, role, doc, is_needed) in needs {
        if !is_needed || has_role(file, standard, role) {
            continue;
        }
        if is_taken(wire, file, items) {
            let what = if role == Role::Format { "downloads" } else { "resumable uploads" };
            document.loss(format!("{what} are left out: another parameter has the name `{wire}`, which they need"));
            items.iter_mut().for_each(if role == Role::Format { drop_download } else { drop_resumable });
            continue;
        }
        let parameter = Parameter {
            ty: TypeExpr::named("string"),
            doc: text(Some(doc)),
            role: Some(of_role(role)),
            ..Parameter::default()
        };
        match file.parameter_sets.0.iter_mut().find(|(name, _)| name.text == standard) {
            Some((_, set)) => set.push(wire, parameter),
            None => {
                file.parameter_sets.push(standard, [(wire, parameter)].into_iter().collect());
                file.standard_parameters = texts([standard]);
            }
        }
    }
}

/// Returns the media of an operation, if it has any.
fn media(item: &Item) -> Option<&wireform_codegen::schema::operation::Media> {
    match &item.definition {
        Definition::Operation(operation) => operation.media.as_ref(),
        _ => None,
    }
}

/// Removes the media download of an operation, and its media if nothing else is left.
fn drop_download(item: &mut Item) {
    if let Definition::Operation(operation) = &mut item.definition {
        operation.media.iter_mut().for_each(|media| media.download = None);
        operation.media.take_if(|media| *media == Default::default());
    }
}

/// Removes the path for resumable uploads of an operation, and its media if no other path is left.
fn drop_resumable(item: &mut Item) {
    if let Definition::Operation(operation) = &mut item.definition {
        operation.media.iter_mut().for_each(|media| media.resumable = None);
        // Media without a path are removed.
        operation.media.take_if(|media| media.simple.is_none() && media.download.is_none());
    }
}

/// Returns whether the set of parameters named `standard` has one with the role.
fn has_role(file: &File, standard: &str, role: Role) -> bool {
    let sets = file.parameter_sets.0.iter().filter(|(name, _)| name.text == standard);
    let mut roles = sets.flat_map(|(_, set)| &set.0).filter_map(|(_, parameter)| parameter.role.as_ref());
    roles.any(|Short(own)| own.is.value == role)
}

/// Returns whether a parameter has the name, or the same name in Rust.
fn is_taken(wire: &str, file: &File, items: &[Item]) -> bool {
    let plain = |name: &str| name.replace(['_', '-', '.'], "").to_ascii_lowercase();
    let is_one = |set: &Named<Parameter>| {
        set.0.iter().any(|(name, parameter)| {
            let rust = parameter.name.as_ref().map(|name| plain(&name.text));
            plain(&name.text) == plain(wire) || rust.is_some_and(|rust| rust == plain(wire))
        })
    };
    let of_item = |item: &Item| match &item.definition {
        Definition::Operation(operation) => is_one(&operation.path) || is_one(&operation.query),
        _ => false,
    };
    file.parameter_sets.0.iter().any(|(_, set)| is_one(set)) || items.iter().any(of_item)
}
