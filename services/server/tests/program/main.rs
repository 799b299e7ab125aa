//! Tests of the program as people start it: built, with its own folder, called over HTTP, and stopped by signals.
#![allow(clippy::expect_used, reason = "a test fails that way")]

mod accounts;
mod calendars;
mod channels;
mod clients;
mod clock;
mod copies;
mod descriptors;
mod documented;
mod ends;
mod health;
mod hostile;
mod imports;
mod invitations;
mod limits;
mod mail;
mod names;
mod operations;
mod outside;
mod pages;
mod postgres;
mod program;
mod script_apps;
mod script_commands;
mod scripts;
mod seeds;
mod settings;
mod signals;
mod snapshots;
mod start;
mod tls;
mod web_apps;
