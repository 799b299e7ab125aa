//! Names of the parameters and members of paged lists, without regard to notation.

/// Page token parameters, each with the members that return the token.
pub const TOKENS: [(&[&str], &[&str]); 7] = [
    (&["page_token"], &["next_page_token"]),
    (
        &["cursor", "page_cursor", "next_cursor", "after", "starting_after"],
        &["next_cursor", "next_page_cursor", "cursor_next", "end_cursor"],
    ),
    (&["next_token", "token"], &["next_token"]),
    (&["continuation_token", "continuation"], &["next_continuation_token", "continuation_token"]),
    (&["marker"], &["next_marker"]),
    (&["after", "after_id"], &["last_id"]),
    (&["start_key", "exclusive_start_key"], &["last_evaluated_key", "next_start_key"]),
];

/// Parameters with the key of the last item.
pub const AFTER: [&str; 3] = ["starting_after", "after", "after_id"];

/// Members with the URL of the next page.
pub const URLS: [&str; 7] =
    ["@odata.next_link", "@next_link", "next_link", "next_url", "next_page_url", "next_href", "next_page_uri"];

/// Page number parameters.
pub const NUMBERS: [&str; 4] = ["page", "page_number", "page[number]", "page_no"];

/// Offset parameters.
pub const OFFSETS: [&str; 5] = ["offset", "skip", "$skip", "start_index", "page[offset]"];

/// Page size parameters.
pub const SIZES: [&str; 11] = [
    "per_page",
    "page_size",
    "limit",
    "max_results",
    "size",
    "$top",
    "top",
    "page[size]",
    "page[limit]",
    "max_items",
    "count",
];

/// Members that indicate a further page.
pub const MORE: [&str; 5] = ["has_more", "has_next_page", "has_next", "more", "more_items"];

/// Members that indicate the last page.
pub const LAST: [&str; 4] = ["last", "is_last", "is_last_page", "last_page"];

/// Members with the number of pages.
pub const TOTAL_PAGES: [&str; 8] = [
    "total_pages",
    "total_page_count",
    "number_of_pages",
    "num_pages",
    "pages",
    "last_page",
    "max_page",
    // Also the number of items in a page, unless the description mentions pages.
    "page_count",
];

/// Members with the number of items in all pages.
pub const TOTALS: [&str; 8] = [
    "total_elements",
    "total_count",
    "total_items",
    "total_results",
    "total_records",
    "total_hits",
    "total",
    "count_total",
];

/// Members with the number of the page; `number` only next to other members about it.
pub const CURRENT: [&str; 5] = ["current_page", "page_number", "page_index", "page", "number"];

/// Members with the items, if there are several lists.
pub const ITEMS: [&str; 10] =
    ["data", "items", "results", "content", "elements", "value", "values", "records", "entries", "resources"];
