//! Components, which are enclosed in `BEGIN` and `END`.

use super::content::{self, Property};
use super::losses::Losses;

/// Maximum nesting depth of components.
const MAX_DEPTH: usize = 8;
/// Maximum number of properties of a component. It may have ten times as many components.
const MAX_CHILDREN: usize = 20_000;

/// Component.
#[derive(Clone, Debug, Default)]
pub(crate) struct Component {
    /// Name in upper case.
    pub(crate) name: String,
    /// Number of its first line.
    pub(crate) line: usize,
    pub(crate) properties: Vec<Property>,
    pub(crate) components: Vec<Component>,
}

impl Component {
    /// Returns the first property of a name.
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Returns the value of the first property of a name.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.property(name).map(|property| property.value.trim())
    }
}

/// Parses the calendars of a file. Anything outside of them is recorded as a loss.
pub(crate) fn parse_calendars(bytes: &[u8], losses: &mut Losses) -> Vec<Component> {
    let mut calendars = Vec::new();
    let mut open: Vec<Component> = Vec::new();
    // Number of open components beyond the maximum depth.
    let mut buried = 0_usize;
    for line in content::unfold_lines(&content::decode(bytes)) {
        let property = content::parse_property(&line);
        let name = property.as_ref().map_or_else(|| line.text.clone(), |property| property.name.clone());
        if let Some(fault) = line.error {
            losses.add(line.number, &name, fault);
        }
        let Some(property) = property.filter(|_| line.error.is_none_or(|fault| fault.contains("Latin-1"))) else {
            if line.error.is_none() {
                losses.add(line.number, &name, "invalid line, expected a property");
            }
            continue;
        };
        match property.name.as_str() {
            "BEGIN" if open.len() >= MAX_DEPTH => buried += 1,
            "BEGIN" => {
                open.push(Component { name: property.upper_case_value(), line: line.number, ..Component::default() });
            }
            "END" if buried > 0 => buried -= 1,
            "END" => close(&mut open, &property, &mut calendars, losses),
            _ => add_property(open.last_mut().filter(|_| buried == 0), property, losses),
        }
    }
    if let Some(unclosed) = open.first() {
        losses.add(unclosed.line, &unclosed.name, "the component has no end: the file is truncated");
        while let Some(last) = open.pop() {
            attach(last, &mut open, &mut calendars, losses);
        }
    }
    calendars
}

/// Adds a property to the innermost open component; records a loss if none is open, or if it is full.
fn add_property(component: Option<&mut Component>, property: Property, losses: &mut Losses) {
    match component {
        Some(component) if component.properties.len() < MAX_CHILDREN => component.properties.push(property),
        Some(_) => losses.add(property.line, &property.name, "the component has too many properties"),
        None => losses.add(property.line, &property.name, "the line is outside of a component"),
    }
}

/// Closes the named component, and unclosed components within it.
fn close(open: &mut Vec<Component>, end: &Property, calendars: &mut Vec<Component>, losses: &mut Losses) {
    let name = end.upper_case_value();
    if !open.iter().any(|component| component.name == name) {
        losses.add(end.line, "END", format!("`END:{name}` without `BEGIN:{name}`"));
        return;
    }
    while let Some(last) = open.pop() {
        let found = last.name == name;
        if !found {
            losses.add(last.line, &last.name, "the component has no end");
        }
        attach(last, open, calendars, losses);
        if found {
            return;
        }
    }
}

/// Adds a closed component to the innermost open one, or, if none is open, a calendar to `calendars`. Records a loss if
/// the parent is full, or if there is none and it is not a calendar.
fn attach(component: Component, open: &mut [Component], calendars: &mut Vec<Component>, losses: &mut Losses) {
    match open.last_mut() {
        Some(parent) if parent.components.len() < 10 * MAX_CHILDREN => parent.components.push(component),
        Some(_) => losses.add(component.line, &component.name, "there are too many components"),
        None if component.name == "VCALENDAR" => calendars.push(component),
        None => losses.add(component.line, &component.name, "the component is outside of a calendar"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Component>, u64) {
        let mut losses = Losses::default();
        let calendars = parse_calendars(text.as_bytes(), &mut losses);
        (calendars, losses.total())
    }

    #[test]
    fn components_can_be_nested() {
        let text =
            "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:x\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR\n";
        let (calendars, losses) = read(text);
        assert_eq!((calendars.len(), losses), (1, 0));
        let event = &calendars[0].components[0];
        assert_eq!((event.name.as_str(), event.line, event.value("UID")), ("VEVENT", 3, Some("x")));
        assert_eq!(event.components[0].name, "VALARM");
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        let (calendars, losses) = read("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nEND:VCALENDAR");
        assert_eq!((calendars[0].components.len(), losses), (1, 1));
        let (calendars, losses) = read("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x");
        assert_eq!((calendars[0].components.len(), losses), (1, 1));
        assert_eq!(read("END:VCALENDAR\nUID:x\nBEGIN:VEVENT\nEND:VEVENT\nhello").1, 4);
        let deep = "BEGIN:VCALENDAR\n".repeat(100_000);
        assert_eq!(read(&deep).0.len(), 1);
    }
}
