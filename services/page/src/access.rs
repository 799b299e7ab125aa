//! Access of programs: the base URL, a token, and samples that call the server.

use std::fmt::Write as _;

use crate::html::code;
use crate::settings::PageSettings;

/// Samples that read the profile of the user. They contain `BASE_URL` and `TOKEN`.
const SAMPLES: [(&str, &str); 4] = [
    ("curl", include_str!("../assets/samples/call.sh")),
    ("Python", include_str!("../assets/samples/call.py")),
    ("Node.js", include_str!("../assets/samples/call.mjs")),
    ("Rust", include_str!("../assets/samples/call.rs")),
];

/// Returns the section about access of programs. Only the person at this machine sees the ready token: `shows_token`.
pub(crate) fn access<O>(settings: &PageSettings<O>, shows_token: bool) -> String {
    let token = settings.token.as_deref().filter(|_| shows_token);
    let mut html = format!(
        "<section class=\"access\"><h2>Access</h2>\n<h3>Base URL</h3>\n{}\n<h3>Token</h3>\n",
        code(&settings.base)
    );
    match token {
        // Writing to a string does not fail.
        Some(token) => {
            let _ = writeln!(html, "{}\n<p role=\"note\">The ready token: it allows everything.</p>", code(token));
        }
        None => html.push_str(
            "<p>No token is shown here. <code>wireform-services tokens create --user ADDRESS --scope all</code> creates \
             one on the same store.</p>\n",
        ),
    }
    html.push_str("<h3>First call</h3>\n");
    for (name, sample) in SAMPLES {
        let text = sample.replace("BASE_URL", &settings.base).replace("TOKEN", token.unwrap_or("TOKEN"));
        let open = if name == "curl" { " open" } else { "" };
        let _ = writeln!(html, "<details{open}><summary>{name}</summary>\n{}</details>", code(text.trim_end()));
    }
    html.push_str("</section>\n");
    html
}
