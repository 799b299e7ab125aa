//! All three APIs in one program.

fn main() {}
