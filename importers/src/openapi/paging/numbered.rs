//! Pages with a number or an offset, and the fields of the response about their position.

use wireform_codegen::schema::listing::Pages;

use super::first::{counts_pages, first, words};
use super::names::{CURRENT, LAST, MORE, NUMBERS, OFFSETS, TOTAL_PAGES, TOTALS};
use super::{Finder, Guess, Input, is_flag, is_whole, plain};
use crate::lowering::text;

impl Finder<'_> {
    /// Returns the pagination by a number or an offset; `whole` contains the size and the items.
    pub(super) fn numbered(&self, whole: &Pages) -> Option<Guess> {
        let ends =
            Pages { more: text(self.field(&MORE, is_flag)), last: text(self.field(&LAST, is_flag)), ..whole.clone() };
        let total = self.total();
        let total_pages = self.total_pages();
        let states_end = ends.more.is_some() || ends.last.is_some() || total_pages.is_some();
        // A number without a page size is ambiguous, and so is a write with a number.
        if !(states_end || whole.size.is_some() && (self.is_get || total.is_some())) {
            return None;
        }
        if let Some(number) = self.parameter(&NUMBERS, is_whole) {
            let pages = Pages {
                number: text(Some(number.name)),
                total_pages: text(total_pages),
                total: text(total),
                current: text(self.current()),
                ..ends
            };
            let shape = self.is_spring_page().then_some((0, "according to the fields of the response"));
            let found = first(number, shape);
            let pages = with_first(pages, found, 1);
            return Some(guess(pages, found, (number.name, "the page number")));
        }
        let offset = self.parameter(&OFFSETS, is_whole)?;
        let pages = Pages { offset: text(Some(offset.name)), total: text(total), ..ends };
        if counts_pages(offset.doc) {
            let how = format!("`{}` may count pages or items", offset.name);
            return Some(Guess { pages, how, is_certain: false });
        }
        let found = first(offset, zero_by_name(offset));
        let pages = with_first(pages, found, 0);
        Some(guess(pages, found, (offset.name, "the number of items to skip")))
    }

    /// Returns the field with the number of items in all pages.
    fn total(&self) -> Option<&str> {
        self.field(&TOTALS, is_whole).filter(|name| !self.describes(name, &["page", "pages", "returned", "current"]))
    }

    /// Returns the field with the number of pages.
    fn total_pages(&self) -> Option<&str> {
        self.field(&TOTAL_PAGES, is_whole).filter(|name| {
            let is_clear = plain(last(name)) != "page_count" || self.describes(name, &["pages"]);
            is_clear && !self.describes(name, &["items", "results", "records"])
        })
    }

    /// Returns the field with the number of the page.
    fn current(&self) -> Option<&str> {
        self.field(&CURRENT, is_whole).filter(|name| last(name) != "number" || self.is_spring_page())
    }

    /// Returns whether the response has the fields of a page of Spring Data, which counts from zero.
    fn is_spring_page(&self) -> bool {
        // Recent versions of Spring Data have these fields in `page`.
        ["", "page."].iter().any(|outer| {
            let has = |name: &str, is: fn(&_) -> bool| {
                self.member(&format!("{outer}{name}")).is_some_and(|field| is(&field.ty))
            };
            has("number", is_whole) && (has("last", is_flag) || has("totalPages", is_whole))
        })
    }

    /// Returns whether the description of a field contains one of the words.
    fn describes(&self, name: &str, any: &[&str]) -> bool {
        let doc = self.member(name).and_then(|field| field.doc.as_ref());
        doc.is_some_and(|doc| words(&doc.text).iter().any(|word| any.contains(&word.as_str())))
    }
}

/// Returns the name at the end of a path.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Returns the number of the first item that the name of an offset implies.
fn zero_by_name(offset: &Input<'_>) -> Option<(i32, &'static str)> {
    (plain(offset.name) != "start_index").then_some((0, "according to its name"))
}

/// Returns the pagination with the number of the first page or item, unless it is the default.
fn with_first(pages: Pages, found: Option<(i32, &str)>, default: i32) -> Pages {
    let first = found.map_or(default, |(first, _)| first);
    Pages { first: (first != default || found.is_none()).then(|| i128::from(first).into()), ..pages }
}

/// Returns the guess, which is certain if the first number is.
fn guess(pages: Pages, found: Option<(i32, &str)>, (name, what): (&str, &str)) -> Guess {
    match found {
        Some((first, source)) => Guess::certain(pages, format!("`{name}` is {what}, from {first} {source}")),
        None => {
            let how = format!("`{name}` is {what}, but may count from 0 or from 1");
            Guess { pages, how, is_certain: false }
        }
    }
}
