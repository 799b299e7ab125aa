//! Conditions are evaluated correctly for a large number of fields.

use many_conditions_validation::requests::{FormsAdd, FormsOther};
use many_conditions_validation::types::runtime::json;
use many_conditions_validation::types::{Form, Other};
use many_conditions_validation::{Validate as _, Violations, Warnings};

/// Number of fields of the form.
const FIELDS: usize = 130;

fn summary(result: Result<Warnings, Violations>) -> Vec<String> {
    let found = result.map_or_else(|violations| violations, |warnings| warnings.as_violations().clone());
    found.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect()
}

#[test]
fn each_field_depends_on_its_own_condition() {
    for at in 0..FIELDS {
        let form: Form = json::from_str(&format!(r#"{{"f{at}":"abc"}}"#)).unwrap();
        for on in 0..3 {
            let mut request = FormsAdd::new(form.clone());
            (request.on0, request.on1, request.on2) = (Some(on == 0), Some(on == 1), Some(on == 2));
            let rule = if at % 3 == on { "length" } else { "effective_when" };
            assert_eq!(summary(request.validate()), [format!("f{at} {rule}")], "{on}");
        }
    }
}

#[test]
fn conditions_apply_to_another_resource() {
    let mut request = FormsOther::new(Other::default().with_f("abc"));
    assert_eq!(summary(request.validate()), ["f effective_when"]);
    request.on2 = Some(true);
    assert_eq!(summary(request.validate()), ["f length"]);
}
