//! Generated texts of resources: valid, nearly valid and invalid, and the same on every machine.

#[allow(dead_code)]
#[path = "../../suite/round_trip/values.rs"]
mod values;

use serde_json::{Value, json};
use wireform_codegen::load;
use wireform_tests::{root, sources};

/// Number of values generated for each resource.
const VALUES: u64 = 300;

/// Deterministic random number generator (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(0x9E37_79B9_7F4A_7C15 ^ seed)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap_or(0) % limit.max(1)
    }
}

/// Texts with a special meaning for some rule.
const TEXTS: &[&str] = &[
    "",
    "abcde",
    "birthday",
    "default",
    "fromGmail",
    "outOfOffice",
    "cancelled",
    "of a later version",
    "2026-03-02",
    "2026-03-02T10:00:00",
    "2026-03-02T10:00:00Z",
    "9999-12-31T23:59:60Z",
    "0000-01-01T00:00:00+23:59",
    "Europe/Zurich",
    "RRULE:FREQ=YEARLY",
    "DTSTART:20260302",
    "a@example.com",
    "https://example.com",
    "tel:+1",
    "manifest",
    "JSON",
    "ENUM_TYPE_UNSPECIFIED",
    "main()",
    "\u{0}\u{1f980}",
    "video",
    "more",
    "INBOX",
    "Label_1",
    "#16a766",
    "system",
];

fn random_value(random: &mut Random) -> Value {
    match random.below(12) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!([-1, 0, 1, 40_320, 40_321, i64::MAX][random.below(6)]),
        3 => json!([]),
        4 => json!({}),
        5 => json!(-1.5e300),
        _ => json!(TEXTS[random.below(TEXTS.len())]),
    }
}

/// Changes part of a value: usually a scalar, sometimes a whole subtree.
fn change(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(members) if !members.is_empty() && random.below(12) > 0 => {
            let name = members.keys().nth(random.below(members.len())).cloned().unwrap_or_default();
            if random.below(8) == 0 {
                members.remove(&name);
            } else if let Some(member) = members.get_mut(&name) {
                change(member, random);
            }
        }
        Value::Array(items) if !items.is_empty() && random.below(8) > 0 => {
            let at = random.below(items.len());
            if random.below(4) == 0 {
                items.push(items[at].clone());
            } else {
                change(&mut items[at], random);
            }
        }
        other => *other = random_value(random),
    }
}

/// Keeps one field in `one_in`, since values with few fields are more often valid.
fn thin_out(value: &mut Value, one_in: usize, random: &mut Random) {
    match value {
        Value::Object(members) => {
            members.retain(|_, _| random.below(one_in) == 0);
            members.values_mut().for_each(|member| thin_out(member, one_in, random));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| thin_out(item, one_in, random)),
        _ => {}
    }
}

/// Returns texts of a resource: the value with all fields, with fewer fields, and with changed fields.
pub fn texts(api: &str, resource: &str) -> Vec<String> {
    let model = load(&sources(&root().join("schemas").join(api))).expect("the schemas have no errors");
    let of = model.resources.iter().find(|one| one.name.wire == resource).expect("the schema has the resource");
    let full = values::full(&model, of, 0);
    let rounds: u64 = std::env::var("WIREFORM_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut random = Random::new(resource.len() as u64);
    let values = (0..VALUES * rounds).map(|_| {
        let mut value = full.clone();
        let one_in = [1, 2, 6][random.below(3)];
        thin_out(&mut value, one_in, &mut random);
        (0..random.below(4)).for_each(|_| change(&mut value, &mut random));
        let mut text = value.to_string();
        if random.below(16) == 0 {
            let end = text.char_indices().nth(random.below(text.chars().count())).map_or(0, |(at, _)| at);
            text.truncate(end);
        }
        text
    });
    [full.to_string()].into_iter().chain(values).collect()
}
