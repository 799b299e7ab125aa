//! Notifications from a server to a client.

use std::collections::BTreeMap;

use super::*;
use crate::naming::AliasedName;
use crate::operation::{Api, AuthRequirement, ErrorFields, Operation, RoleValues};
use crate::{RequestEncoder, Value};

static API: Api = Api {
    name: "sample",
    version: "v1",
    root_url: None,
    base_path: AliasedName::new(""),
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[],
    standard_parameters: &[],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields::NONE,
};

#[derive(Clone, Debug)]
struct Watch;

impl Request for Watch {
    const API: &'static Api = &API;
    const OPERATION: &'static Operation = &Operation {
        name: "watch",
        method: "POST",
        path: &[],
        verb: None,
        parameters: &[],
        scopes: AuthRequirement::None,
        api_key: false,
        safe: false,
        idempotent: false,
        cost: 1,
    };
    type Response = ();
    type ErrorBody = Value;

    fn write(&self, _parts: &mut RequestEncoder) {}
}

/// Id, token, expiration.
type Channel = (Option<&'static str>, Option<&'static str>, Option<i64>);

impl WatchRequest for Watch {
    type Channel = Channel;
    type State = ResourceState;

    const HEADERS: NotificationHeaders = NotificationHeaders { id: "X-Own-Id", ..NotificationHeaders::DEFAULT };

    fn channel_info(channel: &Channel) -> ChannelInfo<'_> {
        let (id, token, expiration) = *channel;
        ChannelInfo { id, token, expiration, resource_id: Some("r"), ..ChannelInfo::default() }
    }
}

const CHANNEL: Channel = (Some("c1"), Some("s3cret"), Some(1_384_823_632_500));

fn written(channel: &Channel, state: ResourceState) -> BTreeMap<&'static str, String> {
    let mut headers = BTreeMap::new();
    let notification = Notification::<Watch>::new(channel, 7, state).unwrap();
    assert!(!format!("{notification:?}").contains("s3cret"));
    notification.write_headers(Naming::Specification, |name, value| {
        assert_eq!(headers.insert(name, value.to_owned()), None, "{name}");
    });
    headers
}

fn receive(
    receiver: &NotificationReceiver<Watch>,
    headers: &BTreeMap<&'static str, String>,
) -> Result<Notification<Watch>, NotificationError> {
    receiver.receive(|name| headers.get(name).map(|value| value.as_bytes()))
}

#[test]
fn notifications_round_trip() {
    let headers = written(&CHANNEL, ResourceState::Exists);
    let expected = [
        ("X-Channel-Expiration", "Tue, 19 Nov 2013 01:13:52 GMT"),
        ("X-Channel-Token", "s3cret"),
        ("X-Message-Number", "7"),
        ("X-Own-Id", "c1"),
        ("X-Resource-Id", "r"),
        ("X-Resource-State", "exists"),
    ];
    assert_eq!(headers.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>(), expected);
    let receiver = NotificationReceiver::new().with_channel(&CHANNEL);
    let read = receive(&receiver, &headers).unwrap();
    assert_eq!((read.channel_id.as_str(), read.number, &read.state), ("c1", 7, &ResourceState::Exists));
    assert_eq!(read.expiration, Some(1_384_823_632_000));
    assert_eq!((read.resource_id.as_deref(), read.resource_uri), (Some("r"), None));
    let strange = receive(&receiver, &written(&CHANNEL, "moved".into())).unwrap();
    assert!(matches!(&strange.state, ResourceState::Unknown(value) if value.as_str() == "moved"));
}

#[test]
fn foreign_notifications_are_rejected() {
    let receiver = NotificationReceiver::new().with_channel(&CHANNEL);
    assert!(!format!("{receiver:?}").contains("s3cret"));
    let headers = |changes: &[(&'static str, Option<&str>)]| {
        let mut headers = written(&CHANNEL, ResourceState::Sync);
        for (name, value) in changes {
            match value {
                Some(value) => drop(headers.insert(name, (*value).to_owned())),
                None => drop(headers.remove(name)),
            }
        }
        headers
    };
    use NotificationError::{Malformed, Missing, UnknownChannel, WrongToken};
    type Case<'c> = (&'c [(&'static str, Option<&'c str>)], NotificationError, u16);
    let long = "1".repeat(9000);
    let cases: [Case<'_>; 10] = [
        (&[("X-Channel-Token", Some("s3creT"))], WrongToken, 403),
        (&[("X-Channel-Token", Some("s3cre"))], WrongToken, 403),
        (&[("X-Channel-Token", Some("s3cret "))], WrongToken, 403),
        (&[("X-Channel-Token", None)], WrongToken, 403),
        (&[("X-Own-Id", Some("c2"))], UnknownChannel, 404),
        (&[("X-Own-Id", None)], Missing("X-Own-Id"), 400),
        (&[("X-Message-Number", Some("-1"))], Malformed("X-Message-Number"), 400),
        (&[("X-Message-Number", Some(&long))], Malformed("X-Message-Number"), 400),
        (&[("X-Resource-State", None)], Missing("X-Resource-State"), 400),
        (&[("X-Channel-Expiration", Some("tomorrow"))], Malformed("X-Channel-Expiration"), 400),
    ];
    for (changes, expected, status) in cases {
        let error = receive(&receiver, &headers(changes)).unwrap_err();
        assert_eq!((error, error.status()), (expected, status), "{changes:?}");
        assert!(!error.to_string().contains("s3c"));
    }
    // A channel without a token accepts any token; a removed one accepts nothing.
    assert!(receiver.add(&(Some("c1"), None, None)));
    assert!(receive(&receiver, &headers(&[])).is_ok());
    receiver.remove("c1");
    assert_eq!(receive(&receiver, &headers(&[])).unwrap_err(), UnknownChannel);
    assert!(!receiver.add(&(None, None, None)));
    assert!(Notification::<Watch>::new(&(None, None, None), 1, ResourceState::Sync).is_none());
}

#[test]
fn unrepresentable_times_are_omitted() {
    for (millis, expected) in [
        (0, Some("Thu, 01 Jan 1970 00:00:00 GMT")),
        (4_102_444_800_999, Some("Fri, 01 Jan 2100 00:00:00 GMT")),
        (i64::MAX, None),
        (i64::MIN, None),
    ] {
        assert_eq!(time::format(millis).as_deref(), expected, "{millis}");
    }
    assert_eq!(time::parse("1384823632500"), Some(1_384_823_632_500));
    assert_eq!(time::parse(""), None);
    assert_eq!(time::parse("99999999999999999999"), None);
}
