//! Roles of parameters, and the profile that the services of a publisher share.

use std::collections::BTreeMap;

use super::header_names::is_token;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Operation, ParameterRole, Profile, ReasonCase, Role, Type};
use crate::schema::profile::{Role as Written, RoleDef};
use crate::schema::shape::Short;
use crate::schema::{self, File, Named, Text};

impl Tables<'_> {
    /// Resolves the role of a parameter, and checks its type and values.
    pub fn role(&self, key: &Text, def: &schema::Parameter, ty: &Type, sink: &mut Sink) -> Option<ParameterRole> {
        let Short(written) = def.role.as_ref()?;
        let role = of_word(written.is.value);
        let fits = match (role, ty) {
            (Role::PrettyPrint, ty) => *ty == Type::Bool,
            (Role::Format | Role::UploadType | Role::UploadProtocol, Type::Enum(_)) => true,
            (_, ty) => *ty == Type::String,
        };
        if !fits {
            let message = format!("`{}` cannot have the role `{}`", key.text, role.word());
            sink.report(Code::BadRole, def.ty.span(), message).related(written.is.span, "the role").help(match role {
                Role::PrettyPrint => "use the type `bool`",
                Role::Format | Role::UploadType | Role::UploadProtocol => "use the type `string` or an enum",
                _ => "use the type `string`",
            });
            return None;
        }
        let values = check_values(role, written, sink);
        if let Type::Enum(id) = ty {
            self.check_enum(role, &values, (id.0, written), sink);
        }
        Some(ParameterRole { role, values })
    }

    /// Reports a value of a role that the parameter's enum lacks, if the schema names it; others are optional.
    fn check_enum(
        &self,
        role: Role,
        values: &[(String, String)],
        (index, written): (usize, &RoleDef),
        sink: &mut Sink,
    ) {
        let Some(definition) = self.enums.get(index) else { return };
        let known = || definition.def.values.0.iter().map(|(name, _)| name.text.as_str());
        for (_, value) in &written.values.0 {
            if values.iter().any(|(_, wire)| *wire == value.text) && !known().any(|name| name == value.text) {
                let message = format!("unknown value `{}` of `{}`", value.text.escape_debug(), definition.key.text);
                sink.report(Code::BadRole, value.span, message).suggest(&value.text, known());
            }
        }
        // The one value that every API has.
        let json = values.iter().find(|(word, _)| word == "json").map_or("json", |(_, wire)| wire);
        if role == Role::Format && written.values.0.iter().all(|(word, _)| word.text != "json") {
            let has_json = known().any(|name| name == json);
            if !has_json {
                let message = format!("enum `{}` has no value `json`", definition.key.text);
                sink.report(Code::BadRole, written.is.span, message)
                    .help("map it to a value of the enum: `role: { is: format, values: { json: … } }`");
            }
        }
    }

    /// Reports roles without a standard parameter, and those with several.
    pub fn check_roles(&self, sink: &mut Sink) {
        let is_standard = |name: &str| self.api.standard_parameters.iter().any(|one| one.text == name);
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        for name in &self.api.standard_parameters {
            for role in roles(self.sets.get(name.text.as_str()).copied().into_iter()) {
                let word = role.is.value.word();
                if role.is.value == Written::AccessToken {
                    continue;
                }
                if let Some(first) = first.insert(word, role.is.span) {
                    sink.report(Code::BadRole, role.is.span, format!("duplicate role `{word}`"))
                        .related(first, "first defined here")
                        .help("remove the role from one of them");
                }
            }
        }
        let sets = self.sets.iter().filter(|(name, _)| !is_standard(name)).map(|(_, set)| *set);
        let own = self.operations.iter().flat_map(|(_, def)| [&def.path, &def.query, &def.headers, &def.cookies]);
        let mut stray: Vec<&RoleDef> = roles(sets).chain(roles(own)).collect();
        stray.sort_by_key(|role| (role.is.span.file, role.is.span.start));
        for role in stray {
            sink.report(Code::BadRole, role.is.span, "`role` applies only to standard parameters")
                .help("remove it, or list the set of the parameter under `standard_parameters:`");
        }
    }

    /// Reports media and API keys that lack a parameter with the required role.
    pub fn check_needed_roles(&self, operations: &[Operation], sink: &mut Sink) {
        let sets = || self.api.standard_parameters.iter().map(|name| self.sets.get(name.text.as_str()).copied());
        // The parameter may be in a set that is unknown, or have the role and another error.
        let may_have =
            |role| sets().any(|set| set.is_none()) || roles(sets().flatten()).any(|one| of_word(one.is.value) == role);
        for operation in operations {
            let Some((_, def)) = self.operation_ids.get(operation.name.as_str()).map(|id| self.operations[id.0]) else {
                continue;
            };
            let media = operation.media.as_ref();
            let span = def.media.as_ref().map(|media| media.span);
            let needs = [
                (
                    media.is_some_and(|media| media.resumable.is_some()),
                    span,
                    Role::UploadType,
                    "resumable uploads require",
                ),
                (media.is_some_and(|media| media.download), span, Role::Format, "media downloads require"),
                (operation.api_key, def.api_key.map(|flag| flag.span), Role::ApiKey, "API keys require"),
            ];
            for (is_needed, span, role, what) in needs {
                if !is_needed || may_have(role) {
                    continue;
                }
                let word = role.word();
                let message = format!("{what} a parameter with the role `{word}`");
                sink.report(Code::BadRole, span.unwrap_or(operation.span), message).help(format!(
                    "add `role: {word}` to a parameter in one of the sets that `standard_parameters:` lists"
                ));
            }
        }
    }
}

/// Returns the roles of the parameters in sets.
fn roles<'s>(sets: impl Iterator<Item = &'s Named<schema::Parameter>>) -> impl Iterator<Item = &'s RoleDef> {
    sets.flat_map(|set| &set.0).filter_map(|(_, parameter)| parameter.role.as_ref().map(|Short(role)| role))
}

const fn of_word(word: Written) -> Role {
    match word {
        Written::ApiKey => Role::ApiKey,
        Written::AccessToken => Role::AccessToken,
        Written::Format => Role::Format,
        Written::Fields => Role::Fields,
        Written::PrettyPrint => Role::PrettyPrint,
        Written::QuotaUser => Role::QuotaUser,
        Written::Callback => Role::Callback,
        Written::UploadType => Role::UploadType,
        Written::UploadProtocol => Role::UploadProtocol,
    }
}

/// Returns the values of a role with different wire names; reports unknown values and duplicates.
fn check_values(role: Role, written: &RoleDef, sink: &mut Sink) -> Vec<(String, String)> {
    let mut values: Vec<(String, String)> = Vec::new();
    for (word, wire) in &written.values.0 {
        let name = word.text.escape_debug();
        if !role.values().contains(&word.text.as_str()) {
            let message = format!("unknown value `{name}` of the role `{}`", role.word());
            let report = sink.report(Code::BadRole, word.span, message);
            if role.values().is_empty() {
                report.help("remove `values`");
            } else {
                report.suggest(&word.text, role.values().iter().copied());
            }
            continue;
        }
        values.push((word.text.clone(), wire.text.clone()));
    }
    let wire = |word: &&'static str| {
        values.iter().find(|(own, _)| own == word).map_or_else(|| (*word).to_owned(), |(_, wire)| wire.clone())
    };
    let all: Vec<String> = role.values().iter().map(wire).collect();
    let twice = |(index, value): &(usize, &String)| all[..*index].contains(value);
    if let Some((_, value)) = all.iter().enumerate().find(twice) {
        let message =
            format!("values of the role `{}` have the same wire name `{}`", role.word(), value.escape_debug());
        sink.report(Code::BadRole, written.span, message).help("use a different string for each value");
    }
    values.retain(|(word, wire)| word != wire);
    values
}

/// Resolves the profile of an API, which one of its files declares.
pub fn profile(files: &[File], sink: &mut Sink) -> Option<Profile> {
    let mut all = files.iter().filter_map(|file| file.profile.as_ref());
    let written = all.next()?;
    if let Some(second) = all.next() {
        sink.report(Code::BadProfile, second.span, "duplicate `profile`")
            .related(written.span, "first defined here")
            .help("merge them");
    }
    let mut profile = Profile {
        domain: written.domain.as_ref().map(|domain| domain.text.clone()),
        request_ids: written.request_ids.iter().map(|name| name.text.clone()).collect(),
        ..Profile::default()
    };
    domains(&written.domains.0, &mut profile, sink);
    // The document of an API lists them by domain.
    profile.domains.sort_by(|(_, one), (_, other)| one.cmp(other));
    for (key, reason) in &written.reasons.0 {
        self::reason(key, reason.text.clone(), &mut profile, sink);
    }
    for (key, reasons) in &written.rate_limits.0 {
        if let Some(status) = status(&key.text) {
            profile.rate_limits.extend(reasons.iter().map(|reason| (status, reason.text.clone())));
        } else {
            sink.report(Code::BadProfile, key.span, format!("`{}` is not an error status", key.text.escape_debug()))
                .help("write a status from 400 to 599, such as `429`");
        }
    }
    for name in written.request_ids.iter().filter(|name| !is_token(&name.text)) {
        let message = format!("invalid header name `{}`", name.text.escape_debug());
        sink.report(Code::BadProfile, name.span, message)
            .help("use letters, digits and hyphens, such as `x-request-id`");
    }
    Some(profile)
}

/// Adds the reasons of other domains to the profile; reports those of two domains.
fn domains(written: &[(Text, Vec<Text>)], profile: &mut Profile, sink: &mut Sink) {
    for (domain, reason) in written.iter().flat_map(|(domain, reasons)| reasons.iter().map(move |one| (domain, one))) {
        if profile.domains.iter().any(|(known, _)| *known == reason.text) {
            let message = format!("duplicate reason `{}`", reason.text.escape_debug());
            sink.report(Code::BadProfile, reason.span, message).help("list each reason in one domain");
            continue;
        }
        profile.domains.push((reason.text.clone(), domain.text.clone()));
    }
}

/// Adds the reason for a status, a class of statuses or a case to the profile; reports an unknown key.
fn reason(key: &Text, word: String, profile: &mut Profile, sink: &mut Sink) {
    let case = ReasonCase::ALL.into_iter().find(|(_, name, _)| *name == key.text);
    match (case, key.text.as_str()) {
        (Some((case, ..)), _) => profile.cases.push((case, word)),
        (None, "4XX") => profile.client_error = Some(word),
        (None, "5XX") => profile.server_error = Some(word),
        (None, text) => match status(text) {
            Some(status) => profile.statuses.push((status, word)),
            None => {
                let message = format!("`{}` is neither an error status nor a known case", text.escape_debug());
                let words = ReasonCase::ALL.map(|(_, name, _)| name).into_iter().chain(["4XX", "5XX"]);
                sink.report(Code::BadProfile, key.span, message).suggest(text, words);
            }
        },
    }
}

/// Parses an error status from 400 to 599; `None` for other texts.
fn status(text: &str) -> Option<u16> {
    let is_plain = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|status| is_plain && (400..=599).contains(status))
}
