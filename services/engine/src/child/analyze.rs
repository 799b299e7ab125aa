//! The functions of a file.

use rquickjs::Runtime;

use crate::{Analysis, SourceFile};

/// Lists the functions of each file.
pub(super) fn analyze(_runtime: &Runtime, files: &[SourceFile]) -> Vec<Analysis> {
    files.iter().map(|_| Ok(Vec::new())).collect()
}
