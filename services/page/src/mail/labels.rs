//! Labels of a mailbox, with their names and colors.

use mailbox_types::{Label, LabelType, ListLabelsResponse};

use super::operation;
use crate::browse::{BrowsePages, Failure};
use crate::html::Escaped;
use crate::services::Services;
use crate::sheet::{Sheet, is_color, readable_color};

/// Maximum number of labels whose messages are counted; more would take long.
const MAX_COUNTED_LABELS: usize = 40;

/// Labels of a mailbox.
pub(super) struct Labels(Vec<Label>);

impl Labels {
    /// Reads the labels.
    pub(super) async fn read<O: Services>(pages: &BrowsePages<O>, user: &str) -> Result<Self, Failure> {
        let list: ListLabelsResponse = pages.get(user, &operation("labels")).await?;
        Ok(Self(list.labels))
    }

    /// Reads the labels with their unread counts.
    pub(super) async fn with_counts<O: Services>(pages: &BrowsePages<O>, user: &str) -> Result<Self, Failure> {
        let Self(mut labels) = Self::read(pages, user).await?;
        for label in labels.iter_mut().take(MAX_COUNTED_LABELS) {
            let id = label.id.clone().unwrap_or_default();
            *label = pages.get(user, &operation("labels").segment(&id)).await?;
        }
        Ok(Self(labels))
    }

    /// Returns all labels: system labels, then those of the user.
    pub(super) fn all(&self) -> &[Label] {
        &self.0
    }

    /// Returns the name of a label, or the identifier of a deleted one.
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

    /// Returns the style sheet with the colors of labels.
    pub(super) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        for (place, label) in self.0.iter().enumerate() {
            let Some(color) = &label.color else { continue };
            let text = color.text_color.as_ref().map(ToString::to_string).filter(|color| is_color(color));
            let background = color.background_color.as_ref().map(ToString::to_string).filter(|color| is_color(color));
            if let (Some(text), Some(background)) = (text, background) {
                let text = readable_color(&text, &background);
                sheet.rule(&format!(".l{place}"), &[("text", &text), ("behind", &background)]);
            }
        }
        sheet
    }
}

/// Returns the name of a label for people. System labels have names such as `CATEGORY_SOCIAL`.
pub(super) fn name_of(label: &Label) -> String {
    let name = label.name.clone().or_else(|| label.id.clone()).unwrap_or_default();
    if label.r#type != Some(LabelType::System) {
        return name;
    }
    let words = name.strip_prefix("CATEGORY_").unwrap_or(&name).to_lowercase().replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or(name, |first| first.to_uppercase().chain(letters).collect())
}
