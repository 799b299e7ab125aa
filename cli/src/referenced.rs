//! Files that an OpenAPI document refers to.

use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;
use wireform_importers::{FileReader, TextFile};

/// Reader of the files below the folder of a document, and below further folders.
#[derive(Debug)]
pub struct FolderReader {
    /// Folder of the document, without symbolic links.
    base: PathBuf,
    /// Name of the document in it.
    document: String,
    /// Folders whose files may be read.
    permitted: Vec<PathBuf>,
}

impl FolderReader {
    /// Creates the reader for a document. `further` are folders besides its own.
    pub fn new(document: &Path, further: &[PathBuf]) -> anyhow::Result<Self> {
        let own = fs::canonicalize(document)?;
        let base = own.parent().unwrap_or(Path::new("")).to_owned();
        let document = own.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let further =
            further.iter().map(|dir| fs::canonicalize(dir).context("cannot open the folder of `--include-dir`"));
        let mut permitted = further.collect::<anyhow::Result<Vec<PathBuf>>>()?;
        permitted.push(base.clone());
        Ok(Self { base, document, permitted })
    }

    /// Returns the own path of a file that may be read, relative to the folder of the document.
    fn own_path(&self, file: &Path) -> Option<String> {
        if !self.permitted.iter().any(|dir| file.starts_with(dir)) {
            return None;
        }
        let shared = self.base.components().zip(file.components()).take_while(|(a, b)| a == b).count();
        let up = self.base.components().skip(shared).map(|_| Component::ParentDir);
        let segments = up.chain(file.components().skip(shared));
        Some(segments.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/"))
    }
}

impl FileReader for FolderReader {
    fn document(&self) -> &str {
        &self.document
    }

    fn read(&self, path: &str, max_bytes: usize) -> Result<TextFile, String> {
        let reason = |error: &std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => "file not found".to_owned(),
            kind => format!("the file cannot be read: {kind}"),
        };
        let file = self.base.join(path).canonicalize().map_err(|error| reason(&error))?;
        let Some(path) = self.own_path(&file) else {
            let help = "`--include-dir` permits further folders";
            return Err(format!("the file is not below the folder of the document; {help}"));
        };
        // Reading a pipe or a device might not end.
        if !file.is_file() {
            return Err("not a file".to_owned());
        }
        let limit = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
        let mut bytes = Vec::new();
        let read = std::fs::File::open(&file).and_then(|file| file.take(limit).read_to_end(&mut bytes));
        read.map_err(|error| reason(&error))?;
        if bytes.len() > max_bytes {
            return Err(
                "the document and the files that it refers to are too large; `--max-mib` permits more".to_owned()
            );
        }
        let text = String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned())?;
        Ok(TextFile { path, text })
    }
}
