//! Notifications of an operation that opens a watch channel.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::rust::{RustTypes, ident};
use crate::model::{Encoding, Operation, Resource, Type, Watch};

/// Returns the implementation of `WatchRequest`:
///
/// ```text
/// impl WatchRequest for EventsWatch {
///     type Channel = crate::Channel;
///     type State = crate::ChannelState;
///     const HEADERS: NotificationHeaders = NotificationHeaders { id: "X-Goog-Channel-ID", ..NotificationHeaders::DEFAULT };
///     fn channel_info(channel: &Self::Channel) -> ChannelInfo<'_> { … }
/// }
/// ```
pub fn item(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let (watch, body) = (operation.watch.as_ref()?, operation.body.as_ref()?);
    let Type::Resource(id) = body.ty else { return None };
    let resource = rust.api.resource(id);
    let (name, channel) = (ident(&operation.types.request), ident(&resource.name.ident));
    let state = match &watch.states {
        Some(states) => rust.ty(states),
        None => quote!(::wireform_runtime::watch::ResourceState),
    };
    let headers = headers(watch, resource);
    let facts = facts(watch, resource);
    Some(quote! {
        impl ::wireform_runtime::watch::WatchRequest for #name {
            type Channel = crate::#channel;
            type State = #state;

            const HEADERS: ::wireform_runtime::watch::NotificationHeaders = #headers;

            fn channel_info(channel: &Self::Channel) -> ::wireform_runtime::watch::ChannelInfo<'_> {
                #facts
            }
        }
    })
}

/// Returns the names of the headers that differ from the defaults.
fn headers(watch: &Watch, channel: &Resource) -> TokenStream {
    let of_member = |index: Option<usize>| {
        let wire = &channel.field(index?).name.wire;
        watch.headers.iter().find(|(_, holds)| holds == wire).map(|(header, _)| header.clone())
    };
    let named = [
        ("id", of_member(watch.id)),
        ("token", of_member(watch.token)),
        ("expiration", of_member(watch.expiration)),
        ("resource_id", of_member(watch.resource_id)),
        ("resource_uri", of_member(watch.resource_uri)),
        ("state", watch.state.clone()),
        ("number", watch.number.clone()),
    ];
    let set: Vec<TokenStream> = named
        .iter()
        .filter_map(|(role, header)| {
            let (role, header) = (ident(role), header.as_ref()?);
            Some(quote!(#role: #header,))
        })
        .collect();
    let ty = quote!(::wireform_runtime::watch::NotificationHeaders);
    match set.len() {
        0 => quote!(#ty::DEFAULT),
        all if all == named.len() => quote!(#ty { #(#set)* }),
        _ => quote!(#ty { #(#set)* ..#ty::DEFAULT }),
    }
}

/// Returns the facts about notifications in a channel.
fn facts(watch: &Watch, channel: &Resource) -> TokenStream {
    let text = |role: &str, index: Option<usize>| {
        let (role, member) = (ident(role), ident(&channel.field(index?).name.ident));
        Some(quote!(#role: channel.#member.as_deref(),))
    };
    let mut set: Vec<TokenStream> = [
        ("address", Some(watch.address)),
        ("id", watch.id),
        ("token", watch.token),
        ("resource_id", watch.resource_id),
        ("resource_uri", watch.resource_uri),
    ]
    .into_iter()
    .filter_map(|(role, index)| text(role, index))
    .collect();
    set.extend(watch.expiration.map(|index| channel.field(index)).map(|field| {
        let member = ident(&field.name.ident);
        match field.ty {
            Type::Int64(Encoding::DecimalString) => quote!(expiration: channel.#member.map(|time| time.0),),
            _ => quote!(expiration: channel.#member,),
        }
    }));
    let rest = (set.len() < 6).then(|| quote!(..::std::default::Default::default()));
    quote!(::wireform_runtime::watch::ChannelInfo { #(#set)* #rest })
}
