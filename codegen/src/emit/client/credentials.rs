//! Credentials of the first example in the documentation, as its operation requires.

use crate::model::{Api, Operation, SchemeKind, SchemeRequirement};

/// Returns `Credentials::api_key("…")`, or other credentials that an operation requires; `None` if it requires none,
/// or if they are not a part of requests. Of several alternatives the first is shown.
pub fn example_credentials(api: &Api, operation: Option<&Operation>) -> Option<String> {
    let Some(ways) = operation.and_then(|operation| operation.security.as_ref()) else {
        return Some("Credentials::token(\"…\")".to_owned());
    };
    let demands =
        ways.first().into_iter().flatten().filter_map(|demand| scheme_credentials(api, demand)).collect::<Vec<_>>();
    match demands.as_slice() {
        [] => None,
        [(_, one)] => Some((*one).to_owned()),
        [(name, first), others @ ..] => {
            let others = others.iter().map(|(name, one)| format!(".and({name:?}, {one})"));
            Some(format!("Credentials::named({name:?}, {first}){}", others.collect::<String>()))
        }
    }
}

fn scheme_credentials<'a>(api: &'a Api, demand: &SchemeRequirement) -> Option<(&'a str, &'static str)> {
    let scheme = api.security_scheme(demand.scheme);
    let shown = match scheme.kind {
        SchemeKind::ApiKey(..) => "Credentials::api_key(\"…\")",
        SchemeKind::Basic => "Credentials::basic(\"…\", \"…\")",
        SchemeKind::Bearer(_) | SchemeKind::OAuth2 { .. } | SchemeKind::OpenId(_) => "Credentials::token(\"…\")",
        SchemeKind::MutualTls => return None,
    };
    Some((&scheme.name, shown))
}
