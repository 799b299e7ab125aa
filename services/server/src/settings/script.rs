//! Values of script settings, on the command line and in seeds.

use script_server::types::ProcessType;
use wireform_script::schedule::Schedule;
use wireform_store::{Millis, ScriptRole};

use super::value;

/// Command-line argument that makes the program a process that runs a script.
pub const SCRIPT_PROCESS: &str = "script-process";

/// Role in a project; `None` ends the sharing.
pub type ShareRole = Option<ScriptRole>;

/// Parameters of a function.
pub type Parameters = std::sync::Arc<[serde_json::Value]>;

/// Type of an execution.
pub type Kind = ProcessType;

/// Switch of script executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch(pub bool);

/// Names of roles.
const ROLES: [(&str, ShareRole); 4] = [
    ("reader", Some(ScriptRole::Read)),
    ("writer", Some(ScriptRole::Write)),
    ("owner", Some(ScriptRole::Owner)),
    ("none", None),
];

/// Parses a role.
pub fn role(text: &str) -> Result<ShareRole, String> {
    let known = ROLES.iter().find(|(name, _)| *name == text);
    known.map(|(_, role)| *role).ok_or_else(|| "must be reader, writer, owner or none".to_owned())
}

/// Returns the name of a role.
pub fn role_name(role: ShareRole) -> &'static str {
    ROLES.iter().find(|(_, known)| *known == role).map_or("none", |(name, _)| name)
}

/// Parses parameters.
pub fn parameters(text: &str) -> Result<Parameters, String> {
    let list: Vec<serde_json::Value> =
        serde_json::from_str(text).map_err(|error| format!("must be a list as JSON, such as [1, \"two\"]: {error}"))?;
    Ok(list.into())
}

/// Parses the type of an execution.
pub fn kind(text: &str) -> Result<Kind, String> {
    let kinds = [
        ProcessType::Editor,
        ProcessType::SimpleTrigger,
        ProcessType::Trigger,
        ProcessType::Menu,
        ProcessType::AddOn,
        ProcessType::BatchTask,
    ];
    let kind = kinds.into_iter().find(|kind| kind.to_string() == text);
    kind.ok_or_else(|| "must be EDITOR, SIMPLE_TRIGGER, TRIGGER, MENU, ADD_ON or BATCH_TASK".to_owned())
}

/// Parses a switch.
pub fn on_or_off(text: &str) -> Result<Switch, String> {
    match text {
        "on" => Ok(Switch(true)),
        "off" => Ok(Switch(false)),
        _ => Err("must be on or off".to_owned()),
    }
}

/// Parses the interval of a trigger.
pub fn every(text: &str) -> Result<Schedule, String> {
    Schedule::every(value::duration(text)?)
}

/// Parses a cron expression.
pub fn cron(text: &str) -> Result<Schedule, String> {
    let schedule = Schedule { cron: Some(text.to_owned()), ..Schedule::default() };
    schedule.first(Millis(0)).map(|_| schedule)
}

/// Parses the time of a trigger that fires once.
pub fn at(text: &str) -> Result<Schedule, String> {
    Ok(Schedule { at: Some(value::instant(text)?.0), ..Schedule::default() })
}
