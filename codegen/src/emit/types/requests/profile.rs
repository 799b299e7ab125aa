//! Roles of standard parameters and error reasons, as tables of the API.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::facts;
use crate::model::{Api, Parameter, Profile, Role};

/// Returns a parameter with its role:
/// `::wireform_runtime::operation::Parameter::query("key").role(::wireform_runtime::operation::Role::ApiKey)`
pub fn parameter(parameter: &Parameter) -> TokenStream {
    let role = parameter.role.as_ref().map(|role| {
        let name = format_ident!("{}", name(role.role));
        quote!(.role(::wireform_runtime::operation::Role::#name))
    });
    let parameter = facts::parameter(parameter);
    quote!(#parameter #role)
}

/// Returns the variant of the runtime's `Role`.
const fn name(role: Role) -> &'static str {
    match role {
        Role::ApiKey => "ApiKey",
        Role::AccessToken => "AccessToken",
        Role::Format => "Format",
        Role::Fields => "Fields",
        Role::PrettyPrint => "PrettyPrint",
        Role::QuotaUser => "QuotaUser",
        Role::Callback => "Callback",
        Role::UploadType => "UploadType",
        Role::UploadProtocol => "UploadProtocol",
    }
}

/// Returns the values of roles: `RoleValues { media: "raw", ..RoleValues::STANDARD }`
pub fn values(api: &Api) -> TokenStream {
    let all = quote!(::wireform_runtime::operation::RoleValues);
    let roles = api.standard_parameters.iter().filter_map(|parameter| parameter.role.as_ref());
    let fields: Vec<TokenStream> = roles
        .flat_map(|role| role.values.iter().map(move |(word, wire)| (role.role, word.as_str(), wire)))
        .map(|(role, word, wire)| {
            // Both roles have a value `media`.
            let field = format_ident!("{}", if (role, word) == (Role::UploadType, "media") { "simple" } else { word });
            quote!(#field: #wire,)
        })
        .collect();
    if fields.is_empty() { quote!(#all::STANDARD) } else { quote!(#all { #(#fields)* ..#all::STANDARD }) }
}

/// Returns the profile: `Profile { domain: Some("global"), domains: &[("slow", "limits")], reasons: Reasons { … }, rate_limits: &[(403, "slow")],
/// request_ids: &["x-id"] }`
pub fn profile(profile: &Profile) -> TokenStream {
    let operation = quote!(::wireform_runtime::operation);
    let some = |text: &Option<String>| match text {
        Some(text) => quote!(::std::option::Option::Some(#text)),
        None => quote!(::std::option::Option::None),
    };
    let by_status = |list: &[(u16, String)]| -> Vec<TokenStream> {
        let pair = |(status, word): &(u16, String)| {
            let status = Literal::u16_unsuffixed(*status);
            quote!((#status, #word))
        };
        list.iter().map(pair).collect()
    };
    let cases = profile.cases.iter().map(|(case, word)| {
        let case = format_ident!("{}", case.names().1);
        quote!((#operation::ReasonCase::#case, #word))
    });
    let (statuses, limits) = (by_status(&profile.statuses), by_status(&profile.rate_limits));
    let (domain, client, server) = (some(&profile.domain), some(&profile.client_error), some(&profile.server_error));
    let domains = profile.domains.iter().map(|(reason, domain)| quote!((#reason, #domain)));
    let ids = &profile.request_ids;
    let ids = if ids.is_empty() { quote!(#operation::Profile::STANDARD.request_ids) } else { quote!(&[#(#ids),*]) };
    quote! {
        #operation::Profile {
            domain: #domain,
            domains: &[#(#domains),*],
            reasons: #operation::Reasons {
                cases: &[#(#cases),*],
                statuses: &[#(#statuses),*],
                client_error: #client,
                server_error: #server,
            },
            rate_limits: &[#(#limits),*],
            request_ids: #ids,
        }
    }
}
