//! Credentials: tokens, keys, files, and the flows that acquire tokens.
#![allow(clippy::unwrap_used)]

#[cfg(feature = "adc")]
mod adc;
#[cfg(feature = "adc")]
mod adc_files;
#[cfg(feature = "adc")]
mod adc_responses;
mod cached;
#[cfg(feature = "oauth")]
mod oauth;
mod scopes;
mod support;
mod tokens;
