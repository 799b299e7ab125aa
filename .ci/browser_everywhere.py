"""What holds for every page, in a browser; `browser.py` beside this runs these steps."""

import functools
import os
import pathlib
import re
import subprocess
import tempfile

from playwright.sync_api import expect

from browser_common import BASE, TOKEN, add_event, add_message, ask, at, calendar, user
from browser_scripts import project

AXE = pathlib.Path(os.environ["AXE"]).read_text()
DESK, PHONE = {"width": 1300, "height": 850}, {"width": 390, "height": 844}
# Unlike those of other operations, details of these are unfolded and looked at, too.
UNFOLDED = ("users.labels.create", "events.list", "projects.get")


@functools.cache
def everywhere():
    """The addresses of all pages, with something to show on each."""
    series = add_event(
        summary="A series with a long title", description="<p>With <b>a</b> <a href='https://example.com/a'>link</a></p>",
        location="https://example.com/place", start=at("2034-03-06T09:00:00"), end=at("2034-03-06T12:00:00"),
        recurrence=["RRULE:FREQ=WEEKLY"], attendees=[{"email": user(), "responseStatus": "accepted"}],
    )
    for hour in (9, 10, 11):
        add_event(summary=f"Beside {hour}", start=at(f"2034-03-06T{hour:02}:30:00"), end=at(f"2034-03-06T{hour + 1:02}:30:00"))
    label = ask("POST", "/mail/v1/users/me/labels", {"name": "Bright", "color": {"textColor": "#ffffff", "backgroundColor": "#16a765"}})
    lines = [
        "From: Ada <ada@example.com>", "Subject: Every part", "MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"', "",
        "--b", "Content-Type: text/html", "", "<p>HTML</p>", "--b", "Content-Type: text/plain", "", "Text", "--b",
        'Content-Type: text/csv; name="a.csv"', "Content-Disposition: attachment", "", "1,2", "--b--", "",
    ]
    message = add_message("\n".join(lines), labelIds=["INBOX", "UNREAD", label["id"]])
    script = project("Everywhere")
    for function, parameters in (("add", [1, 2]), ("fail", ["x"])):
        ask("POST", f"/v1/scripts/{script}:run", {"function": function, "parameters": parameters, "devMode": True})
    week, event = f"/calendar?calendar={calendar()}&date=2034-03-06", f"/calendar/event?calendar={calendar()}&event={series}"
    paths = ["/", "/docs", week, f"{week}&view=month", f"{week}&view=busy", f"{week}&view=busy-day", "/calendar/channels", event]
    paths += [f"{week}&view=day", f"{week}&q=series"]
    paths += [f"{event}_20340306T090000Z", "/mail", "/mail?q=every", "/mail/history", f"/mail/message?id={message}"]
    paths += ["/mail?view=conversations", f"/mail/message?id={message}&view=text", f"/mail/message?id={message}&view=source"]
    paths += [f"/scripts/execution?number={number}" for number in (1, 2)]
    paths += ["/scripts", f"/scripts/project?id={script}", "/scripts/executions", f"/scripts/executions?id={script}"]
    return paths


def narrow(browser, opened):
    """Nothing goes beyond the side of a telephone."""
    references = [f"/docs/{api}" for api in ("mailbox", "calendar", "script")]
    for path in everywhere() + references:
        with opened(browser, path, viewport=PHONE) as page:
            if path in references:
                page.locator("#reference[data-ready]").wait_for()
                page.locator(".opblock-summary-control").first.click()
                page.locator(".responses-inner").wait_for()
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= 390, f"{path} is {width} wide"


def accessible(browser, opened):
    """Axe finds nothing on any page, in light and dark."""
    for scheme in ("light", "dark"):
        for path in everywhere():
            with opened(browser, path, viewport=DESK, color_scheme=scheme) as page:
                inspect(page, f"{path} in {scheme}")


def accessible_references(browser, opened):
    """Axe finds nothing on the references either, with operations that are unfolded and tried out."""
    for scheme in ("light", "dark"):
        for api, operation in zip(("mailbox", "calendar", "script"), UNFOLDED):
            with opened(browser, f"/docs/{api}", viewport=DESK, color_scheme=scheme) as page:
                page.locator("#reference[data-ready]").wait_for()
                page.locator(".opblock").first.wait_for()
                inspect(page, f"/docs/{api} in {scheme}")
                block = page.locator(f".opblock[id$='{operation.replace('.', chr(92) * 2 + '.')}']")
                block.locator(".opblock-summary-control").click()
                block.get_by_role("button", name="Try it out").click()
                inspect(page, f"/docs/{api} in {scheme}, unfolded")


def inspect(page, what):
    # Colours are measured when they have settled.
    page.wait_for_timeout(400)
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    said = [f"{one['id']} at {', '.join(str(node['target']) for node in one['nodes'][:4])} ({len(one['nodes'])})" for one in found]
    assert not said, f"{what}: {said}"


def dark(browser, opened):
    """A page has the colours that a person prefers."""
    shades = {}
    for scheme in ("light", "dark"):
        for path in ("/", "/mail", "/docs/mailbox"):
            with opened(browser, path, color_scheme=scheme) as page:
                shades[path, scheme] = luminance(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert all((shade > .9) == (scheme == "light") and (shade < .1) == (scheme == "dark") for (_, scheme), shade in shades.items()), shades


def focus(browser, opened):
    """Whoever comes by the keyboard skips the header first, and sees where the focus is."""
    for scheme in ("light", "dark"):
        with opened(browser, "/mail", color_scheme=scheme, viewport=DESK) as page:
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.innerText") == "Skip to the content"
            for _ in range(12):
                ring, behind = page.evaluate(
                    """() => {
                        const solid = (element) => { for (; element; element = element.parentElement) {
                            const color = getComputedStyle(element).backgroundColor; if (color !== 'rgba(0, 0, 0, 0)') return color; } };
                        const focused = document.activeElement;
                        return [getComputedStyle(focused).outlineColor, solid(focused.parentElement)];
                    }"""
                )
                one, other = sorted((luminance(ring), luminance(behind)))
                assert (other + .05) / (one + .05) >= 3, f"{ring} on {behind} in {scheme}"
                page.keyboard.press("Tab")
        with opened(browser, "/mail", viewport=DESK) as page:
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")
            assert page.evaluate("document.querySelector('main').contains(document.activeElement)"), "the header is skipped"


def luminance(color):
    channels = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    red, green, blue = (value / 12.92 if value <= .04045 else ((value + .055) / 1.055) ** 2.4 for value in channels)
    return .2126 * red + .7152 * green + .0722 * blue


def paper(browser, opened):
    """On paper there is what is read, dark on light, without what can be clicked."""
    with opened(browser, "/mail", color_scheme="dark") as page:
        page.emulate_media(media="print", color_scheme="dark")
        for part in ("body > header", "form", ".side"):
            expect(page.locator(part).first).to_be_hidden()
        expect(page.locator(".messages")).to_be_visible()
        assert luminance(page.evaluate("getComputedStyle(document.body).backgroundColor")) > .9


def unknown(browser, opened):
    """An unknown path is a page that leads back; a program gets an error."""
    with opened(browser, "/nowhere/at%3Call", status=404) as page:
        expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("/nowhere/at%3Call")
        page.get_by_role("link", name="‹ Overview").click()
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()


def overview(browser, opened):
    """The overview leads to everything, and its samples work as they are."""
    with opened(browser, "/") as page:
        rows = page.locator("tbody tr")
        assert rows.count() == rows.locator("td:first-child a").count() > 0
        page.get_by_role("link", name=user(), exact=True).click()
        expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    with opened(browser, "/") as page:
        texts = page.locator(".access pre").all_text_contents()
        assert texts[:2] == [BASE, TOKEN], texts[:2]
        curl, python, node, rust = texts[2:]
        assert f'Credentials::token("{TOKEN}")' in rust, rust
        for name, command in (("call.sh", ["sh"]), ("call.py", ["python3"]), ("call.mjs", ["node"])):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / name
                file.write_text({"call.sh": curl, "call.py": python, "call.mjs": node}[name])
                done = subprocess.run([*command, str(file)], capture_output=True, text=True)
            assert user() in done.stdout, f"{name}: {done.stdout} {done.stderr}"


STEPS = [
    ("every page on a telephone", narrow),
    ("every page by axe", accessible),
    ("every reference by axe", accessible_references),
    ("dark pages", dark),
    ("the focus", focus),
    ("pages on paper", paper),
    ("an unknown path", unknown),
    ("what the overview leads to", overview),
]
