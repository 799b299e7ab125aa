//! Resource names are encoded with their slashes, and must match the pattern of the path.

use resource_names_client::requests::{
    FilesGet, Info, ProjectsGet, ProjectsPlacesCancel, ProjectsPlacesGet, ProjectsPlacesList, StudiesRead,
};
use resource_names_client::runtime::wire::{Naming, Request};

fn target(request: &impl Request) -> Result<String, String> {
    let wire = request.to_wire(Naming::Specification);
    wire.map(|wire| wire.target).map_err(|error| error.to_string())
}

#[test]
fn a_name_is_encoded_segment_by_segment() {
    let of = |text: &str| Ok(text.to_owned());
    assert_eq!(target(&ProjectsGet::new("projects/a")), of("/v1/projects/a"));
    assert_eq!(target(&ProjectsPlacesGet::new("projects/a b/places/c+d")), of("/v1/projects/a%20b/places/c%2Bd"));
    assert_eq!(target(&ProjectsPlacesCancel::new("projects/a/places/b")), of("/v1/projects/a/places/b:cancel"));
    assert_eq!(target(&ProjectsPlacesList::new("projects/a")), of("/v1/projects/a/places"));
    assert_eq!(target(&FilesGet::new("projects/a/files/b/c.txt")), of("/v1/projects/a/files/b/c.txt"));
    assert_eq!(target(&StudiesRead::new("stores/a/b", "studies/1.2")), of("/v1/stores/a/b/web/studies/1.2"));
    assert_eq!(target(&Info::new("info.txt")), of("/v1/info.txt"));
}

#[test]
fn a_name_of_another_form_is_refused() {
    for name in ["a", "places/a", "projects/a/b", "projects"] {
        let expected = "the parameter `name` must have the form `projects/*`";
        assert_eq!(target(&ProjectsGet::new(name)), Err(expected.to_owned()), "{name}");
    }
    for name in ["projects/..", "projects/", "/projects/a", "projects//a", ""] {
        assert!(target(&ProjectsGet::new(name)).is_err(), "{name}");
    }
    let expected = "the parameter `name` must have the form `projects/*/files/**`";
    assert_eq!(target(&FilesGet::new("projects/a/files")), Err(expected.to_owned()));
}
