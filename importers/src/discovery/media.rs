//! Media uploads and downloads.

use wireform_codegen::schema::operation::{Media, Upload};

use super::paths::{self, Path};
use crate::lowering::{flag, texts};
use crate::node::Node;

/// Returns the media of an operation, if it has any.
pub fn write(node: &Node<'_>, path: &Path) -> Option<Media> {
    let mut media = Media::default();
    let is_declared = node.flag("supportsMediaUpload");
    if let Some(upload) = node.child("mediaUpload") {
        upload.report_unknown(&["accept", "maxSize", "protocols"]);
        read_upload(node, &upload, path, &mut media);
    } else if is_declared {
        node.loss("`supportsMediaUpload` is left out: missing `mediaUpload`");
    }
    media.download = flag(node.flag("supportsMediaDownload"));
    (media != Media::default()).then_some(media)
}

/// Reads an entry `mediaUpload` into `media`: paths by protocol, media types and maximum size. The rest is lost.
fn read_upload(node: &Node<'_>, upload: &Node<'_>, path: &Path, media: &mut Media) {
    if !matches!(path.method.as_str(), "POST" | "PUT" | "PATCH") {
        upload.whole_loss(format!("left out: a {} operation cannot upload media", path.method));
        return;
    }
    let protocols = upload.child("protocols");
    if let Some(protocols) = &protocols {
        protocols.report_unknown(&["resumable", "simple"]);
    }
    let protocol = |name: &str| protocols.as_ref()?.get(name).and_then(|protocol| protocol_of(node, &protocol, path));
    let (simple, resumable) = (protocol("simple"), protocol("resumable"));
    if simple.is_none() && resumable.is_none() {
        upload.whole_loss("left out: missing upload path");
        return;
    }
    let mut types = upload.texts("accept");
    // An omitted list means any type.
    if types.contains(&"*/*") {
        types.clear();
    }
    let (named, odd): (Vec<&str>, Vec<&str>) = types.into_iter().partition(|ty| is_media_type(ty));
    for ty in odd {
        upload.loss(format!("`{}` is left out: invalid media type", ty.escape_debug()));
    }
    media.upload = texts(named);
    if let Some(size) = upload.scalar("maxSize") {
        let bytes = parse_size(&size);
        if bytes.is_none() {
            upload.loss(format!("`maxSize: {}` is left out: invalid size", size.escape_debug()));
        }
        media.max_bytes = bytes.map(|bytes| i128::from(bytes).into());
    }
    media.simple = simple.map(Into::into);
    media.resumable = resumable.map(Into::into);
}

/// Returns the path of an upload protocol.
/// Converts the endpoint of an upload protocol; reports it and returns `None` if its path cannot be used.
fn protocol_of(node: &Node<'_>, protocol: &Node<'_>, path: &Path) -> Option<Upload> {
    protocol.report_unknown(&["multipart", "path"]);
    let Some((upload, mut variables)) = paths::upload(node, protocol) else {
        protocol.whole_loss("left out: its path is missing or malformed");
        return None;
    };
    let mut own = path.variables.clone();
    variables.sort();
    own.sort();
    if variables != own {
        protocol.whole_loss("left out: its path and the path of the method have different variables");
        return None;
    }
    Some(Upload { path: upload, multipart: flag(protocol.flag("multipart")), ..Upload::default() })
}

/// Returns whether a text is a media type without parameters (RFC 6838, section 4.2), or a range of subtypes such as
/// `image/*`.
fn is_media_type(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte);
    let name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.len() <= 127 && name.bytes().all(inner)
    };
    text.split_once('/').is_some_and(|(ty, subtype)| name(ty) && (subtype == "*" || name(subtype)))
}

/// Parses a size such as `10GB` into bytes.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text.get(digits.len()..)?.to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "KB" => 1 << 10,
        "MB" => 1 << 20,
        "GB" => 1 << 30,
        "TB" => 1 << 40,
        _ => return None,
    };
    digits.trim().parse::<u64>().ok()?.checked_mul(unit)
}
