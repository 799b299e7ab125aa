//! What can be set about the output, apart from the schema.

/// How generated crates depend on the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeDependency {
    /// A version from the registry: `wireform-runtime = "0.1"`.
    Version(String),
    /// A folder, relative to a generated crate's own folder.
    Path(String),
    /// A git repository, and a revision of it.
    Git {
        /// Its address.
        url: String,
        /// The revision; the default branch without one.
        rev: Option<String>,
    },
}

/// What can be set about the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What stands before the names of the generated crates: `acme-` makes `acme-calendar-types`.
    pub prefix: String,
    /// The version of the generated crates.
    pub version: String,
    /// How they depend on the runtime.
    pub runtime: RuntimeDependency,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            prefix: String::new(),
            version: "0.1.0".into(),
            runtime: RuntimeDependency::Version(env!("CARGO_PKG_VERSION").into()),
        }
    }
}

impl Options {
    /// Checks that the settings can stand in manifests and in the names of folders.
    ///
    /// # Errors
    /// A sentence that says which setting cannot be used and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        let name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let begins = self.prefix.is_empty() || self.prefix.starts_with(|c: char| c.is_ascii_lowercase());
        if !begins || !self.prefix.bytes().all(name) || self.prefix.len() > 32 {
            return Err(format!("`{}` cannot be a prefix; write lower-case letters, digits and hyphens, a letter first", self.prefix.escape_debug()));
        }
        let (what, text) = match &self.runtime {
            RuntimeDependency::Version(text) => ("version", text),
            RuntimeDependency::Path(text) => ("path", text),
            RuntimeDependency::Git { url, .. } => ("git address", url),
        };
        let rev = match &self.runtime {
            RuntimeDependency::Git { rev: Some(rev), .. } => rev.as_str(),
            _ => "main",
        };
        for (what, text) in [(what, text.as_str()), ("revision", rev), ("version of the crates", &self.version)] {
            if text.is_empty() || text.chars().any(|c| c.is_control() || c == '"' || c == '\\') {
                return Err(format!("`{}` cannot be a {what}; it is empty, or has quotes, backslashes or control characters", text.escape_debug()));
            }
        }
        Ok(())
    }

    /// The name of a generated crate, which is also the name of its folder.
    #[must_use]
    pub fn crate_name(&self, api: &str, kind: &str) -> String {
        format!("{}{api}-{kind}", self.prefix)
    }
}
