//! Writes progenitor's client of an OpenAPI document in both of its styles.

use std::error::Error;
use std::fs;

use progenitor::{GenerationSettings, Generator, InterfaceStyle};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<_> = std::env::args_os().skip(1).collect();
    let [document, positional, builder] = paths.as_slice() else {
        return Err("expected: document, output with positional arguments, output with builders".into());
    };
    let document = serde_json::from_slice(&fs::read(document)?)?;
    for (style, path) in [(InterfaceStyle::Positional, positional), (InterfaceStyle::Builder, builder)] {
        let mut generator = Generator::new(GenerationSettings::new().with_interface(style));
        let file = syn::parse2(generator.generate_tokens(&document)?)?;
        fs::write(path, prettyplease::unparse(&file))?;
    }
    Ok(())
}
