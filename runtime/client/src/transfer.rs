//! Calls that upload and download media.

mod download;
mod upload;

pub use download::{Download, DownloadCall, DownloadFuture};
pub use upload::UploadCall;
