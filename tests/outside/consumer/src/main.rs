//! Uses the generated types as their documentation shows.

use my_pets_types::runtime::{Merge as _, Patch, json};
use my_pets_types::{Pet, PetPatch, Species};

fn main() {
    let wire = r#"{"name":"Mia","species":"axolotl","born":"2024-02-29"}"#;
    let pet: Pet = json::from_str(wire).expect("a pet");
    assert!(matches!(&pet.species, Some(Species::Unknown(value)) if value.as_str() == "axolotl"));
    assert_eq!(json::to_string(&pet).expect("JSON"), wire);

    let renamed = pet.clone().with_name("Max").with_species(Species::Cat);
    let patch = pet.diff(&renamed).expect("a difference");
    assert_eq!(patch, PetPatch { name: Patch::Set("Max".into()), species: Patch::Set(Species::Cat), ..PetPatch::default() });
    let mut patched = pet;
    patched.apply(patch);
    assert_eq!(patched, renamed);
    println!("{}", json::to_string(&patched).expect("JSON"));
}
