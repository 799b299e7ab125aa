//! The labels of a mailbox, by their names and in their colours.

use mailbox_types::{Label, LabelType, ListLabelsResponse};

use super::operation;
use crate::browse::{Browser, Failure};
use crate::html::Escaped;
use crate::services::Services;
use crate::sheet::{Sheet, is_color};

/// So many labels are counted; more would take long.
const COUNTED: usize = 40;

/// The labels of a mailbox.
pub(super) struct Labels(Vec<Label>);

impl Labels {
    /// Reads them.
    pub(super) async fn read<O: Services>(browser: &Browser<O>, user: &str) -> Result<Self, Failure> {
        let list: ListLabelsResponse = browser.get(user, &operation("labels")).await?;
        Ok(Self(list.labels))
    }

    /// Reads them with the number of unread messages of each.
    pub(super) async fn counted<O: Services>(browser: &Browser<O>, user: &str) -> Result<Self, Failure> {
        let Self(mut labels) = Self::read(browser, user).await?;
        for label in labels.iter_mut().take(COUNTED) {
            let id = label.id.clone().unwrap_or_default();
            *label = browser.get(user, &operation("labels").segment(&id)).await?;
        }
        Ok(Self(labels))
    }

    /// Returns all of them: those of the system, then those of the user.
    pub(super) fn all(&self) -> &[Label] {
        &self.0
    }

    /// Returns what people call a label; a label that is gone has its identifier.
    pub(super) fn name(&self, id: &str) -> String {
        let found = self.0.iter().find(|label| label.id.as_deref() == Some(id));
        found.map_or_else(|| id.to_owned(), name_of)
    }

    /// Returns labels by their names.
    pub(super) fn chips(&self, ids: &[String]) -> String {
        let place = |id: &String| self.0.iter().position(|label| label.id.as_ref() == Some(id));
        let chip = |id: &String| {
            let class = place(id).map_or_else(String::new, |place| format!(" l{place}"));
            format!("<span class=\"label{class}\"><bdi>{}</bdi></span>", Escaped(self.name(id)))
        };
        ids.iter().map(chip).collect::<Vec<_>>().join(" ")
    }

    /// Returns the colours of the labels that have some.
    pub(super) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        for (place, label) in self.0.iter().enumerate() {
            let Some(color) = &label.color else { continue };
            let text = color.text_color.as_ref().map(ToString::to_string).filter(|color| is_color(color));
            let behind = color.background_color.as_ref().map(ToString::to_string).filter(|color| is_color(color));
            if let (Some(text), Some(behind)) = (text, behind) {
                sheet.rule(&format!(".l{place}"), &[("text", &text), ("behind", &behind)]);
            }
        }
        sheet
    }
}

/// Returns what people call a label. Those of the system have names such as `CATEGORY_SOCIAL`.
pub(super) fn name_of(label: &Label) -> String {
    let name = label.name.clone().or_else(|| label.id.clone()).unwrap_or_default();
    if label.r#type != Some(LabelType::System) {
        return name;
    }
    let words = name.strip_prefix("CATEGORY_").unwrap_or(&name).to_lowercase().replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or(name, |first| first.to_uppercase().chain(letters).collect())
}
