//! Tests of the pages by requests without sockets.
#![allow(clippy::expect_used, missing_docs, unreachable_pub)]

mod browse;
mod calendar;
mod common;
mod guard;
mod headers;
mod mail;
mod pages;
mod sample;
mod scripts;
mod services;
