//! OpenAPI documents of several files.

use super::place::{Place, SHOP};

/// Returns a place with a document in `shop/` whose schema is in another file.
fn place(reference: &str) -> Place {
    let place = Place::new();
    place.write("shop/api.yaml", &SHOP.replace("#/components/schemas/Item", reference));
    place
}

/// Other schema of an item, with a loss.
const ITEM: &str = "Item:\n  type: object\n  properties:\n    name: { type: string, not: {} }\n";

fn import(place: &Place, further: &[&str]) -> (bool, String) {
    let arguments = ["import", "openapi", "--into", "schemas", "--allow-losses", "shop/api.yaml"];
    place.command(&[&arguments, further].concat())
}

#[test]
fn files_below_the_folder_are_imported() {
    let place = place("./common/../common/types.yaml#/Item");
    place.write("shop/common/types.yaml", ITEM);
    let (success, output) = import(&place, &[]);
    assert!(success && output.contains("loss: shop/common/types.yaml:4:32#/Item/properties/name/not: "), "{output}");
    assert!(place.text("schemas/shop/types.yaml").contains("name: "), "{output}");
    // Nothing in the files depends on where the folder is.
    let here = place.path("").to_string_lossy().into_owned();
    assert!(!output.contains(&here) && !place.text("schemas/shop/types.yaml").contains(&here), "{output}");
    assert!(import(&place, &[]).1.starts_with("schemas/shop: nothing to change\n"));
    // A change of any file is imported.
    place.write("shop/common/types.yaml", &ITEM.replace("name:", "title:"));
    let (success, output) = import(&place, &[]);
    assert!(success && output.starts_with("schemas/shop: 1 file changed"), "{output}");
    assert!(place.text("schemas/shop/types.yaml").contains("title: "), "{output}");
    // An error is located in its file, and nothing is written.
    place.write("shop/common/types.yaml", &ITEM.replace("type: object", "type: &a *a"));
    let (success, output) = import(&place, &[]);
    assert!(!success && output.contains("shop/common/types.yaml:2:"), "{output}");
    place.write("shop/common/types.yaml", &ITEM.replace("{ type: string, not: {} }", "{ $ref: 'https://x/y.json' }"));
    let (success, output) = import(&place, &[]);
    let expected = "shop/common/types.yaml:4:11#/Item/properties/name: `https://x/y.json`: URLs are not followed";
    assert!(!success && output.contains(expected), "{output}");
    assert!(place.text("schemas/shop/types.yaml").contains("title: "), "{output}");
}

#[test]
fn files_outside_the_folder_require_a_flag() {
    let place = place("../common/types.yaml#/Item");
    place.write("common/types.yaml", ITEM);
    let at = "shop/api.yaml:13:50";
    let reason = "`../common/types.yaml#/Item`: the file is not below the folder of the document; `--include-dir`";
    for further in [[].as_slice(), &["--include-dir", "schemas-of-others"], &["--include-dir", "shop"]] {
        fs_err::create_dir_all(place.path("schemas-of-others")).expect("a folder");
        let (success, output) = import(&place, further);
        assert!(!success && output.contains(at) && output.contains(reason), "{output}");
        assert!(!place.path("schemas").exists(), "{output}");
    }
    let (success, output) = import(&place, &["--include-dir", "common"]);
    assert!(success && output.contains("common/types.yaml:4:32#/Item/properties/name/not: "), "{output}");
    let (success, output) = import(&place, &["--include-dir", "nowhere"]);
    assert!(!success && output.contains("cannot open the folder of `--include-dir`"), "{output}");
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    let link = |place: &Place, to: &str, at: &str| std::os::unix::fs::symlink(to, place.path(at)).expect("a link");
    for (target, from, reference) in [
        ("../common/types.yaml", "shop/types.yaml", "types.yaml#/Item"),
        ("../common", "shop/linked", "linked/types.yaml#/Item"),
    ] {
        let place = place(reference);
        place.write("common/types.yaml", ITEM);
        link(&place, target, from);
        let (success, output) = import(&place, &[]);
        assert!(!success && output.contains("the file is not below the folder of the document"), "{output}");
        let (success, output) = import(&place, &["--include-dir", "common"]);
        assert!(success, "{output}");
    }
    // A link within the folder leads to the same file, and a pipe is not read.
    let place = place("types.yaml#/Item");
    place.write("shop/all.yaml", ITEM);
    link(&place, "all.yaml", "shop/types.yaml");
    let (success, output) = import(&place, &[]);
    assert!(success && output.contains("shop/all.yaml:4:32"), "{output}");
    fs_err::remove_file(place.path("shop/types.yaml")).expect("the link");
    link(&place, "/dev/zero", "shop/types.yaml");
    let (success, output) = import(&place, &["--include-dir", "/dev"]);
    assert!(!success && output.contains("not a file"), "{output}");
}
