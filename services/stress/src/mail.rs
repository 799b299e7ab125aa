//! Generated mail.

use rand::RngExt as _;

/// Vocabulary of the generated mails.
const WORDS: &[&str] = &[
    "harbour", "ledger", "window", "train", "orange", "meeting", "draft", "signal", "river", "paper", "number",
    "garden", "budget", "winter", "letter", "engine", "bridge", "island", "market", "school", "travel", "music",
    "kitchen", "summer",
];

/// Returns a random word.
fn word() -> &'static str {
    WORDS.get(rand::rng().random_range(0..WORDS.len())).copied().unwrap_or("word")
}

/// Returns some words.
pub fn words(count: usize) -> String {
    (0..count).map(|_| word()).collect::<Vec<_>>().join(" ")
}

/// Returns the message with a number, of approximately so many bytes. Every fourth replies to an earlier one.
pub fn message(number: u64, bytes: usize) -> String {
    let reply = if number % 4 == 3 {
        format!("In-Reply-To: <{}@stress.example>\r\n", number - number % 4)
    } else {
        String::new()
    };
    let head = format!(
        "From: {from} <{from}@example.com>\r\nTo: me@example.org\r\nSubject: {subject}\r\nMessage-ID: \
         <{number}@stress.example>\r\n{reply}Date: Thu, 1 Jan 2026 {hour:02}:{minute:02}:{second:02} +0000\r\n\
         MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n",
        from = word(),
        subject = words(5),
        hour = number / 3600 % 24,
        minute = number / 60 % 60,
        second = number % 60,
    );
    let mut text = head;
    while text.len() < bytes {
        text.push_str(&words(10));
        text.push_str("\r\n");
    }
    text
}

/// Returns a mail of approximately so many bytes, most of which are an attachment.
pub fn large(number: u64, bytes: usize) -> String {
    let mut text = message(number, 1000).replace(
        "Content-Type: text/plain; charset=utf-8\r\n\r\n",
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n",
    );
    text.push_str(
        "--b\r\nContent-Type: application/octet-stream; name=large.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n",
    );
    let line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAx\r\n";
    while text.len() < bytes {
        text.push_str(line);
    }
    text.push_str("--b--\r\n");
    text
}
