//! Progress through a list whose pages have numbers or offsets. Such pages can be confused without an error, if a server
//! counts differently or ignores the parameter.

use wireform_runtime::PagePosition;

/// Position in a list after a page.
#[derive(Default)]
pub(super) struct Progress {
    /// Number of items up to and including the page; `None` if the list was not read from its beginning.
    seen: Option<i128>,
    page: Option<PagePosition>,
    /// Hash of the items of the first page that was read, until the second one was.
    first_items: Option<u64>,
}

impl Progress {
    /// Checks that a page follows the previous one; `hash` returns the hash of its items.
    ///
    /// # Errors
    /// Returns a message if it repeats or skips a page.
    pub(super) fn advance(&mut self, page: PagePosition, hash: impl FnOnce() -> Option<u64>) -> Result<(), String> {
        let before = self.page.replace(page);
        match (before.and_then(|before| before.page), page.page) {
            (Some(before), Some(number)) if number == before => {
                return Err(format!("the server returned the page `{number}` again"));
            }
            (Some(before), Some(number)) if number != before + 1 => {
                return Err(format!("the server returned the page `{number}` after the page `{before}`"));
            }
            (Some(_), Some(_)) => {}
            (None, _) if before.is_none() => self.first_items = hash(),
            _ => {
                if let Some(first) = self.first_items.take()
                    && hash() == Some(first)
                {
                    return Err("the server returned the items of the first page again".to_owned());
                }
            }
        }
        let count = i128::try_from(page.count).unwrap_or(i128::MAX);
        self.seen = page.before.or(self.seen).map(|before| before.saturating_add(count));
        Ok(())
    }

    /// Returns whether the page is the last one according to the total, where nothing else does.
    pub(super) fn has_ended(&self) -> bool {
        self.page.is_some_and(|page| page.ends_with_total && page.total.is_some() && page.total == self.seen)
    }

    /// Returns a message if the list has fewer items up to the page than its total.
    pub(super) fn missing(&self) -> Option<String> {
        let (seen, total) = (self.seen?, self.page?.total?);
        (seen < total).then(|| format!("the list ended after {seen} of {total} items"))
    }
}
