//! Languages of code blocks.

/// Languages that rustdoc does not treat as Rust, so that it never runs them.
const LANGUAGES: [&str; 34] = [
    "bash",
    "c",
    "console",
    "cpp",
    "csharp",
    "css",
    "csv",
    "curl",
    "diff",
    "go",
    "graphql",
    "html",
    "http",
    "ini",
    "java",
    "javascript",
    "js",
    "json",
    "jsonc",
    "kotlin",
    "php",
    "proto",
    "python",
    "ruby",
    "sh",
    "shell",
    "sql",
    "swift",
    "toml",
    "ts",
    "typescript",
    "xml",
    "yaml",
    "yml",
];

/// Returns the language of a code block in a form that is safe for rustdoc.
pub fn language(info: &str) -> &'static str {
    let named = info.split([' ', ',', '{', '\t']).next().unwrap_or_default();
    LANGUAGES.iter().find(|language| language.eq_ignore_ascii_case(named)).copied().unwrap_or("text")
}
