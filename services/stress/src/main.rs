//! Speed and reliability of the services.

fn main() {}
