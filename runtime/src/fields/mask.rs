//! Field masks: the fields that a change affects, as dotted paths separated by commas.

use super::Selection;
use super::tree::{Tree, WILDCARD};

impl<T> Selection<T> {
    /// Returns the selection as a field mask for updates: `title,owner.email`; `*` if everything is selected. It
    /// contains only fields that the resource has.
    #[must_use]
    pub fn field_mask(&self) -> String {
        let mut paths = Vec::new();
        collect_paths(&self.tree, "", &mut paths);
        paths.join(",")
    }
}

/// Appends the paths of the leaves of a tree, each prefixed with `above`.
fn collect_paths(tree: &Tree, above: &str, paths: &mut Vec<String>) {
    if tree.fields.is_empty() {
        paths.push(if above.is_empty() { WILDCARD.to_owned() } else { above.to_owned() });
        return;
    }
    for (name, below) in &tree.fields {
        let path = if above.is_empty() { name.to_string() } else { format!("{above}.{name}") };
        collect_paths(below, &path, paths);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Field, FieldContent, NestedField, Selectable, Shape};
    use super::*;

    struct Event;
    struct Person;

    static PERSON: Shape = Shape::new("Person", &["email", "name"]);
    static EVENT: Shape =
        Shape::new("Event", &["owner", "title"]).with_contents(&[("owner", FieldContent::Shape(&PERSON))]);

    impl Selectable for Event {
        const SHAPE: &'static Shape = &EVENT;
    }

    #[test]
    fn masks_contain_the_selected_paths() {
        let owner: NestedField<Event, Person> = NestedField::new("owner");
        let title: Field<Event> = Field::new("title");
        let both = owner.select([Field::new("email"), Field::new("name")]);
        assert_eq!(Selection::from([title.clone(), both.clone()]).field_mask(), "owner.email,owner.name,title");
        assert_eq!(Selection::from([both, owner.all()]).field_mask(), "owner");
        assert_eq!(Selection::from([title]).field_mask(), "title");
        assert_eq!(Selection::<Event>::all().field_mask(), "*");
    }
}
