//! Writes progenitor's types and client of an OpenAPI document in one of its styles.

use std::error::Error;
use std::fs;

use progenitor::{GenerationSettings, Generator, InterfaceStyle};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [style, document, out] = arguments.as_slice() else { return Err("expected: style, document, output".into()) };
    let style = if style == "builder" { InterfaceStyle::Builder } else { InterfaceStyle::Positional };
    let document = serde_json::from_slice(&fs::read(document)?)?;
    let mut generator = Generator::new(GenerationSettings::new().with_interface(style));
    let file = syn::parse2(generator.generate_tokens(&document)?)?;
    fs::write(out, prettyplease::unparse(&file))?;
    Ok(())
}
