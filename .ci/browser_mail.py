"""The pages of mail in a browser, and texts that would run; `browser.py` beside this runs them."""

import contextlib
import json
import pathlib
import urllib.error

from playwright.sync_api import expect

from browser_common import BASE, NARROW, add_event, add_message, ask, at, calendar, elsewhere, fits

NAUGHTY = pathlib.Path(__file__).parents[2] / "shared/corpora/naughty-strings/blns.json"
HOSTILE = [
    "<script>document.title='ran'</script>",
    "\"><img src=x onerror=\"document.title='ran'\">",
    "' onmouseover='document.title=1' autofocus onfocus='document.title=1",
    "</li></ol></main><iframe src=javascript:parent.document.title='ran'>",
    "</style><style>body{display:none}</style>",
    "</pre></details><svg onload=document.title='ran'>",
]


def escaping(browser, opened):
    """No text of an event or a mail runs, hides the page, or asks anybody."""
    texts = list(HOSTILE)
    if NAUGHTY.exists():
        texts += [text for text in json.loads(NAUGHTY.read_text()) if "<" in text or "javascript" in text.lower()][:60]
    for place, text in enumerate(texts):
        day = f"2031-{11 + place // 28:02}-{1 + place % 28:02}"
        # The calendar refuses a few of them, such as those that are too long.
        with contextlib.suppress(urllib.error.HTTPError):
            add_event(summary=text, description=text, location=text, start=at(f"{day}T10:00:00Z"), end=at(f"{day}T11:00:00Z"))
    for path in [f"/calendar?calendar={calendar()}&view=month&date=2031-{month}-15" for month in (11, 12)] + [
        f"/calendar?calendar={calendar()}&date=2031-11-04"
    ]:
        with opened(browser, path) as page:
            unharmed(page)
    with opened(browser, f"/calendar?calendar={calendar()}&date=2031-11-01") as page:
        for text in HOSTILE[:1]:
            page.locator(".event", has_text=text).get_by_role("link").click()
            expect(page.locator("h1")).to_contain_text(text)
            unharmed(page)
    identifier = add_message(f"From: {HOSTILE[1]} <a@example.com>\nSubject: {HOSTILE[0]}\nX-Odd: {HOSTILE[5]}\n\n" + "\n".join(HOSTILE))
    for path in ("/mail", f"/mail/message?id={identifier}", "/mail/history"):
        with opened(browser, path) as page:
            expect(page.locator("body")).to_contain_text(HOSTILE[0])
            unharmed(page)


def unharmed(page):
    expect(page.get_by_role("link", name="Overview")).to_be_visible()
    assert page.title() != "ran" and page.locator("svg, main img, main form form, main style").count() == 0, page.title()


def mail(browser, opened):
    """Messages are found by label and search, and read; HTML asks nobody and runs nothing."""
    with elsewhere() as (other, calls):
        read_mail(browser, other)
        assert not calls, f"{len(calls)} connections to another server"
    with opened(browser, "/mail?label=Label_99", status=400) as page:
        expect(page.get_by_role("alert")).to_contain_text("The service returned 400")


def read_mail(browser, other):
    html = (
        f"<h1>Offer</h1><script>parent.document.title='ran'</script><img src='{other}/a.png'>"
        f"<link rel=preconnect href='{other}'><link rel=stylesheet href='{other}/b.css'>"
        f"<meta http-equiv=refresh content='0;url={other}/away'><iframe src='{other}/inner'></iframe>"
        f"<style>h1{{color:rgb(1, 2, 3);background:url({other}/c.png)}}@import '{other}/d.css';</style>"
        f"<a href='{other}/link' target=_top>A link</a><a href='{other}/near'>Another</a>"
        f"<form action='{other}/form'><button>Send</button></form>"
    )
    lines = [
        "From: =?UTF-8?Q?Ren=C3=A9?= <rene@example.org>", "To: ada@example.com", "Subject: Quarterly offer", "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="b"', "", "--b", "Content-Type: text/plain; charset=iso-8859-1",
        "Content-Transfer-Encoding: quoted-printable", "", "Caf=E9", "--b", "Content-Type: text/html", "", html, "--b",
        'Content-Type: application/pdf; name="plan.pdf"', "Content-Disposition: attachment", "", "12345",
        "--b", "Content-Type: text/csv", "Content-Disposition: attachment; filename*=UTF-8''%C3%A9t%C3%A9.csv", "", "<b>1</b>,2", "--b--", "",
    ]
    add_message("\n".join(lines))
    page = browser.new_page(base_url=BASE)
    page.goto("/mail")
    page.get_by_role("searchbox").fill("subject:(quarterly offer)")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".messages > li")).to_have_count(1)
    expect(page.locator(".messages .who")).to_have_text("René")
    page.get_by_role("link", name="Quarterly offer").click()
    page.get_by_role("link", name="Text", exact=True).click()
    expect(page.locator(".message > .text")).to_have_text("Café")
    page.get_by_role("link", name="Source", exact=True).click()
    expect(page.locator(".source pre")).to_contain_text("Caf=E9")
    read_files(page)
    page.get_by_role("link", name="HTML", exact=True).click()
    frame = page.frame_locator(".html iframe")
    expect(frame.get_by_role("heading", name="Offer")).to_have_css("color", "rgb(1, 2, 3)")
    for target in (frame.get_by_text(text) for text in ("A link", "Send", "Another")):
        target.click()
    # What would be asked is asked by now; the page is still there, and says what it is.
    page.wait_for_timeout(500)
    expect(page.get_by_role("heading", name="Quarterly offer")).to_be_visible()
    assert page.title() == "Quarterly offer", page.title()
    page.close()


def read_files(page):
    """Attachments are downloaded by their decoded names, and texts opened; so is the whole message."""
    files = page.locator(".attached li")
    expect(files.first).to_contain_text("plan.pdf")
    expect(files.first.get_by_role("link", name="Open")).to_have_count(0)
    for link, name, start in (
        (files.first.get_by_role("link", name="Download"), "plan.pdf", b"12345"),
        (files.last.get_by_role("link", name="Download"), "été.csv", b"<b>1</b>,2"),
        (page.get_by_role("link", name="Download .eml"), "Quarterly offer.eml", b"From: =?UTF-8"),
    ):
        with page.expect_download() as caught:
            link.click()
        assert caught.value.suggested_filename == name, caught.value.suggested_filename
        assert pathlib.Path(caught.value.path()).read_bytes().startswith(start), name
    with page.expect_popup() as caught:
        files.last.get_by_role("link", name="Open").click()
    expect(caught.value.locator("body")).to_have_text("<b>1</b>,2")
    caught.value.close()


def conversation(browser, opened):
    """Messages of a conversation lead to each other, and are one row of the list of conversations."""
    add_message("From: Ada <a@example.com>\nSubject: On looms\nMessage-ID: <loom-1@x>\n\nOne")
    add_message("From: Ben <b@example.com>\nSubject: Re: On looms\nMessage-ID: <loom-2@x>\nIn-Reply-To: <loom-1@x>\n\nTwo")
    with opened(browser, "/mail?q=subject:looms") as page:
        expect(page.locator(".messages > li")).to_have_count(2)
        page.get_by_role("link", name="Conversations").click()
        expect(page.locator(".messages > li")).to_have_count(1)
        expect(page.locator(".messages .who")).to_contain_text("Ada, Ben 2")
        page.get_by_role("link", name="Re: On looms").click()
        thread = page.get_by_role("navigation", name="Conversation")
        expect(thread.get_by_role("listitem")).to_have_count(2)
        expect(page.locator(".message > .text")).to_have_text("Two")
        thread.get_by_role("link", name="Ada").click()
        expect(page.locator(".message > .text")).to_have_text("One")


def arrival(browser, opened):
    """Messages arrive in an open list, and go, and labels count them."""
    label = ask("POST", "/mail/v1/users/me/labels", {"name": "Arrivals"})["id"]
    for view in ("messages", "conversations"):
        with opened(browser, f"/mail?label={label}&view={view}") as page:
            expect(page.locator("#said")).to_have_attribute("data-state", "live")
            rows, count = page.locator(".messages > li"), page.locator("#labels li", has_text="Arrivals").locator(".count")
            expect(page.get_by_text("There are no messages.")).to_be_visible()
            identifier = add_message("Subject: Just <b>in</b>\n\nText", labelIds=[label, "UNREAD"])
            expect(rows).to_have_count(1)
            expect(rows).to_contain_text("Just <b>in</b>")
            expect(rows).to_have_class("unread fresh")
            expect(count).to_contain_text("1")
            expect(page.get_by_text("There are no messages.")).to_be_hidden()
            ask("POST", f"/mail/v1/users/me/messages/{identifier}/modify", {"removeLabelIds": [label]})
            expect(rows).to_have_count(0)
            expect(count).to_have_count(0)


def pages_of_mail(browser, opened):
    """A list goes on to older messages, by label."""
    label = ask("POST", "/mail/v1/users/me/labels", {"name": "Pile <1>"})["id"]
    for number in range(27):
        add_message(f"Subject: Sheet {number:02}\n\nText", labelIds=[label])
    with opened(browser, "/mail", viewport=NARROW) as page:
        page.get_by_role("navigation", name="Labels").get_by_role("link", name="Pile <1>").click()
        expect(page.locator(".messages > li")).to_have_count(25)
        page.get_by_role("link", name="Older").click()
        expect(page.locator(".messages > li")).to_have_count(2)
        expect(page.get_by_role("link", name="Sheet 00")).to_be_visible()
        fits(page)


def feed(browser, opened):
    """New records appear while the page is open, with labels by their names."""
    with opened(browser, "/mail/history") as page:
        expect(page.locator("#said")).to_have_attribute("data-state", "live")
        identifier = add_message("Subject: While <b>you</b> look\n\nText")
        newest = page.locator("#records > li").first
        expect(newest).to_contain_text("While <b>you</b> look")
        expect(newest.locator(".added")).to_have_text("Added")
        ask("POST", f"/mail/v1/users/me/messages/{identifier}/modify", {"addLabelIds": ["STARRED"]})
        expect(newest.locator(".given")).to_have_text("Labelled")
        expect(newest.locator(".label")).to_have_text("Starred")
        for _ in range(60):
            ask("POST", f"/mail/v1/users/me/messages/{identifier}/modify", {"removeLabelIds": ["STARRED"]})
            ask("POST", f"/mail/v1/users/me/messages/{identifier}/modify", {"addLabelIds": ["STARRED"]})
        last = ask("GET", "/mail/v1/users/me/profile")["historyId"]
        expect(page.locator(f"#record-{last}")).to_be_visible()
        numbers = [int(text) for text in page.locator("#records > li > .number").all_inner_texts()]
        assert numbers == sorted(set(numbers), reverse=True) and len(numbers) > 120, numbers
        page.get_by_role("link", name="History").focus()
    with opened(browser, "/mail/history") as page:
        expect(page.locator("#records > li")).to_have_count(50)
        page.get_by_role("link", name="Older").click()
        expect(page.locator("#records > li")).to_have_count(50)
        assert int(page.locator("#records .number").first.inner_text()) < int(numbers[49]), "older ones go on where newer ones end"
    with opened(browser, "/mail/history", java_script_enabled=False) as page:
        expect(page.locator("#records > li").first).to_be_visible()


STEPS = [
    ("mail", mail),
    ("pages of mail", pages_of_mail),
    ("conversations of mail", conversation),
    ("mail that arrives", arrival),
    ("texts that would run", escaping),
    ("what is new in a history", feed),
]
