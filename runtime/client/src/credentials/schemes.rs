//! Credentials of several kinds, for APIs whose operations name security schemes.

use wireform_runtime::operation::{SchemeKind, SecurityScheme};

use super::Credentials;

impl Credentials {
    /// Creates credentials for the security scheme of a name in the schema; [`and`](Self::and) adds credentials for
    /// further schemes.
    ///
    /// ```
    /// use wireform_client::Credentials;
    ///
    /// let credentials = Credentials::named("login", Credentials::basic("ana", "a password"))
    ///     .and("session", Credentials::api_key("a key"));
    /// # assert_eq!(format!("{credentials:?}"), "Schemes(2)");
    /// ```
    #[must_use]
    pub fn named(scheme: impl Into<String>, credentials: Self) -> Self {
        Self::Schemes(Vec::new()).and(scheme, credentials)
    }

    /// Adds credentials for the scheme of a name. Credentials without a name apply to every scheme of their kind.
    #[must_use]
    pub fn and(self, scheme: impl Into<String>, credentials: Self) -> Self {
        let mut list = match self {
            Self::None => Vec::new(),
            Self::Schemes(list) => list,
            one => vec![(String::new(), one)],
        };
        match credentials {
            Self::Schemes(more) => list.extend(more),
            one => list.push((scheme.into(), one)),
        }
        Self::Schemes(list)
    }

    /// Returns the credentials for a scheme.
    pub(crate) fn select_for_scheme(&self, scheme: &SecurityScheme) -> Option<&Self> {
        match self {
            Self::Schemes(list) => {
                let named = list.iter().find(|(name, _)| name == scheme.name);
                let unnamed = || list.iter().find(|(name, one)| name.is_empty() && one.matches_kind(scheme.kind));
                named.filter(|(_, one)| one.matches_kind(scheme.kind)).or_else(unnamed).map(|(_, one)| one)
            }
            one => one.matches_kind(scheme.kind).then_some(one),
        }
    }

    /// Returns the credentials for operations that require a token with scopes, or a key where one is enough.
    pub(crate) fn select_for_scopes(&self, key: bool) -> &Self {
        let Self::Schemes(list) = self else { return self };
        let token = list.iter().find(|(_, one)| matches!(one, Self::Token(_)));
        let key = || list.iter().find(|(_, one)| key && matches!(one, Self::ApiKey(_)));
        token.or_else(key).map_or(&Self::None, |(_, one)| one)
    }

    /// Returns whether these credentials satisfy a scheme of this kind.
    const fn matches_kind(&self, kind: SchemeKind) -> bool {
        matches!(
            (self, kind),
            (Self::ApiKey(_), SchemeKind::ApiKey(..))
                | (Self::Basic(_), SchemeKind::Basic)
                | (Self::Token(_), SchemeKind::Bearer)
                | (Self::Certificate, SchemeKind::MutualTls)
        )
    }
}
