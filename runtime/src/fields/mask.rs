//! Field masks: the fields that a change affects, as dotted paths separated by commas.

use super::Selection;
use super::tree::{EVERY, Tree};

impl<T> Selection<T> {
    /// Returns the selection as a field mask for updates: `title,owner.email`; `*` if everything is selected. It
    /// contains only fields that the resource has.
    #[must_use]
    pub fn field_mask(&self) -> String {
        let mut paths = Vec::new();
        write(&self.tree, "", &mut paths);
        paths.join(",")
    }
}

fn write(tree: &Tree, above: &str, paths: &mut Vec<String>) {
    if tree.members.is_empty() {
        paths.push(if above.is_empty() { EVERY.to_owned() } else { above.to_owned() });
        return;
    }
    for (name, below) in &tree.members {
        let path = if above.is_empty() { name.to_string() } else { format!("{above}.{name}") };
        write(below, &path, paths);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Field, Inner, Nested, Selectable, Shape};
    use super::*;

    struct Event;
    struct Person;

    static PERSON: Shape = Shape::new("Person", &["email", "name"]);
    static EVENT: Shape = Shape::new("Event", &["owner", "title"]).holding(&[("owner", Inner::Shape(&PERSON))]);

    impl Selectable for Event {
        const SHAPE: &'static Shape = &EVENT;
    }

    #[test]
    fn a_mask_has_the_paths_of_what_is_selected() {
        let owner: Nested<Event, Person> = Nested::new("owner");
        let title: Field<Event> = Field::new("title");
        let both = owner.of([Field::new("email"), Field::new("name")]);
        assert_eq!(Selection::from([title.clone(), both.clone()]).field_mask(), "owner.email,owner.name,title");
        assert_eq!(Selection::from([both, owner.all()]).field_mask(), "owner");
        assert_eq!(Selection::from([title]).field_mask(), "title");
        assert_eq!(Selection::<Event>::all().field_mask(), "*");
    }
}
