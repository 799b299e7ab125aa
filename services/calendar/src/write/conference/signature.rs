//! Signatures of conferences that the service has created.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use calendar_server::Error;
use calendar_server::runtime::wireform_runtime::json;
use calendar_server::types::ConferenceData;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use wireform_store::{Store, hmac_sha256};

use super::describes_same;
use crate::CalendarService;
use crate::error;

/// Label that distinguishes signatures from other uses of the store's secret.
const DERIVATION_LABEL: &[u8] = b"wireform: signatures of conferences\0";

impl<S: Store> CalendarService<S> {
    /// Returns the signature of a conference.
    pub(super) async fn sign(&self, data: &ConferenceData) -> Result<String, Error> {
        Ok(URL_SAFE_NO_PAD.encode(self.signer(data).await?.finalize().into_bytes()))
    }

    /// Keeps the signature of an unchanged conference, and one by this service for exactly this conference; removes any
    /// other one.
    pub(super) async fn verify_signature(
        &self,
        stored: Option<&ConferenceData>,
        data: &mut ConferenceData,
    ) -> Result<(), Error> {
        if let Some(stored) = stored.filter(|stored| describes_same(stored, data)) {
            data.signature.clone_from(&stored.signature);
            return Ok(());
        }
        let Some(sent) = data.signature.take() else { return Ok(()) };
        let Ok(code) = URL_SAFE_NO_PAD.decode(&sent) else { return Ok(()) };
        if self.signer(data).await?.verify_slice(&code).is_ok() {
            data.signature = Some(sent);
        }
        Ok(())
    }

    /// Returns the HMAC-SHA-256 of what describes a conference, with the secret of the store.
    async fn signer(&self, data: &ConferenceData) -> Result<Hmac<Sha256>, Error> {
        let secret = self.store.sealing_key().await.map_err(error::from_store)?;
        let described = ConferenceData {
            conference_solution: data.conference_solution.clone(),
            entry_points: data.entry_points.clone(),
            conference_id: data.conference_id.clone(),
            ..ConferenceData::default()
        };
        let described = json::to_string(&described).map_err(Error::internal)?;
        Ok(hmac_sha256(&secret).chain_update(DERIVATION_LABEL).chain_update(described))
    }
}
