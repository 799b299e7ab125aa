//! What conditions written in CEL become calls of.
