"""Looks at the pages of the services with a browser; see `browser` beside this.

Every page has to load without a message of the console and without asking another origin, and operations that are
tried out on a reference are answered. The pages of calendars, mail and scripts are in `browser_calendar.py`,
`browser_mail.py` and `browser_scripts.py`, and what holds for every page in `browser_everywhere.py`. Words after the
program choose steps whose names have one of them.
"""

import contextlib
import itertools
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

import browser_calendar
import browser_everywhere
import browser_mail
import browser_scripts
from playwright.sync_api import expect, sync_playwright

BASE = os.environ["WIREFORM_BASE"].rstrip("/")
TOKEN = os.environ["WIREFORM_TOKEN"]
APIS = ("mailbox", "calendar", "script")


class Watch:
    """What a page says and asks beside what is looked at."""

    def __init__(self, page):
        self.said, self.asked = [], []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"uncaught: {error}"))
        page.on("request", lambda request: self.asked.append(request.url))

    def check(self, what):
        outside = [url for url in self.asked if origin(url) not in (origin(BASE), "data:", "blob:")]
        assert not outside, f"{what} asks others: {outside}"
        assert not self.said, f"{what} says: {self.said}"
        assert self.asked, f"{what} asks nothing"


def origin(url):
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}:" if parts.scheme in ("data", "blob") else f"{parts.scheme}://{parts.netloc}"


@contextlib.contextmanager
def opened(browser, path, status=200, **settings):
    """A page of its own, which has said nothing when it is left."""
    context = browser.new_context(base_url=BASE, **settings)
    page = context.new_page()
    watch = Watch(page)
    answer = page.goto(path)
    assert answer.status == status, f"{path} answers {answer.status}"
    yield page
    # A browser says by itself that a page was answered so.
    watch.said = [said for said in watch.said if status == 200 or f"status of {status}" not in said]
    watch.check(path)
    context.close()


def overview(browser):
    with opened(browser, "/") as page:
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()
        for title in ("Mailboxes", "Calendars", "Script projects"):
            expect(page.get_by_role("heading", name=title)).to_be_visible()
        page.get_by_role("main").get_by_role("link", name="OpenAPI").first.wait_for()
        for api in APIS:
            assert page.locator(f'a[href="/docs/{api}"]').count() == 1, api
    with opened(browser, "/", java_script_enabled=False) as page:
        expect(page.get_by_role("heading", name="Mailboxes")).to_be_visible()


def reference(browser, api):
    with opened(browser, f"/docs/{api}") as page:
        ready(page)
        operations = page.locator(".opblock")
        described = page.evaluate(f"fetch('/docs/{api}/openapi.json').then((answer) => answer.json())")
        count = sum(len(path) for path in described["paths"].values())
        assert operations.count() == count, f"{api} shows {operations.count()} operations of {count}"
        calls = written_calls(api)
        assert len(calls) >= count, f"{api}: {len(calls)} calls are written in the client"
        # Unfolded, each shows its parameters, bodies and answers; what cannot be shown is a face instead.
        for index in range(count):
            operation = operations.nth(index)
            operation.locator(".opblock-summary-control").click()
            operation.locator(".responses-inner").wait_for()
            assert operation.get_by_text("Could not render").count() == 0, f"{api}: operation {index} is not shown whole"
            statuses = operation.locator(".responses-table tr.response").evaluate_all("all => all.map((one) => one.dataset.code)")
            assert all(status < "400" for status in statuses), f"{api}: operation {index} repeats errors: {statuses}"
            sample = sample_of(operation, "Rust")
            assert without_values(sample.splitlines()[-1]) in calls, f"{api}: the client has no such call: {sample}"
            operation.locator(".opblock-summary-control").click()
            operation.locator(".opblock-body").wait_for(state="detached")
        errors = page.locator("#errors")
        for text in ("400", "The request is malformed or violates a rule.", "other", '"reason": "notFound"'):
            expect(errors).to_contain_text(text)
        page.get_by_role("button", name="Authorize", exact=True).first.click()
        dialog = page.locator(".modal-ux")
        expect(dialog.get_by_role("button", name="Remove authorization")).to_be_visible()
        assert "oauth2" not in dialog.inner_text().lower(), "there is no authorization server to send people to"


def written_calls(api):
    """The calls of operations in the documentation of the Rust client."""
    sources = pathlib.Path(__file__).parents[1].glob(f"generated/{api}-client/src/**/*.rs")
    found = (re.findall(r"/// ((?:let response = )?client\..*\.await\?;)", source.read_text()) for source in sources)
    return {without_values(call) for call in itertools.chain.from_iterable(found)}


def without_values(call):
    return re.sub(r'"[^"]*"', '""', call)


def sample_of(operation, language):
    operation.get_by_role("button", name=language, exact=True).click()
    return operation.locator(".samples pre").inner_text()


def samples(browser):
    """Samples of operations are run as they are."""
    with opened(browser, "/docs/mailbox") as page:
        ready(page)
        for operation, text in (("users.getProfile", "emailAddress"), ("users.labels.create", "Travel/2026")):
            block = page.locator(block_of(operation))
            block.locator(".opblock-summary-control").click()
            for language, command in (("curl", ["sh", "-c"]), ("Python", ["python3", "-c"]), ("Node.js", ["node", "--input-type=module", "-e"])):
                sample = sample_of(block, language)
                done = subprocess.run([*command, sample.replace("Travel/2026", f"Travel/2026 {language}")], capture_output=True, text=True)
                assert text in done.stdout, f"{operation} in {language}: {sample}: {done.stdout} {done.stderr}"


def ready(page):
    page.locator("#reference[data-ready]").wait_for(timeout=30_000)
    expect(page.locator("#said")).to_contain_text("filled in")
    page.locator(".opblock").first.wait_for()


def try_out(browser):
    """Operations that are tried out as people do it: unfolded, filled in, executed."""
    with opened(browser, "/docs/mailbox") as page:
        ready(page)
        profile = execute(page, "users.getProfile")
        assert "@" in profile["emailAddress"], profile
        labels = execute(page, "users.labels.list")
        assert "INBOX" in [label["id"] for label in labels["labels"]], labels
        history = execute(page, "users.history.list", startHistoryId=profile["historyId"])
        assert history["historyId"] == profile["historyId"], history


def block_of(operation):
    """The block of an operation, whose dots have backslashes in its identifier."""
    escaped = operation.replace(".", "\\\\.")
    return f".opblock[id$='-{escaped}']"


def execute(page, operation, **parameters):
    block = page.locator(block_of(operation))
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    for name, value in {"userId": "me", **parameters}.items():
        block.locator(f'tr[data-param-name="{name}"] input').fill(value)
    with page.expect_response(lambda answer: answer.request.method == "GET" and "/users/" in answer.url) as caught:
        block.get_by_role("button", name="Execute").click()
    answer = caught.value
    assert answer.status == 200, f"{operation} is answered {answer.status}: {answer.text()}"
    assert answer.request.headers["authorization"] == f"Bearer {TOKEN}", f"{operation} is asked without the token"
    expect(block.locator(".live-responses-table tr.response .response-col_status").first).to_contain_text("200")
    return answer.json()


def main():
    with sync_playwright() as playwright:
        # Root has no sandbox in a container; the pages are our own.
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"] if os.getuid() == 0 else []
        )
        steps = [("the overview", overview, ()), ("trying out", try_out, ()), ("samples of operations", samples, ())]
        steps += [(f"the reference of {api}", reference, (api,)) for api in APIS]
        for module in (browser_calendar, browser_mail, browser_scripts, browser_everywhere):
            steps += [(name, step, (opened,)) for name, step in module.STEPS]
        if len(sys.argv) > 1:
            steps = [step for step in steps if any(word in step[0] for word in sys.argv[1:])]
        failed = 0
        for name, step, arguments in steps:
            try:
                step(browser, *arguments)
                print(f"ok      {name}")
            except Exception as error:  # Whatever it is, the other steps are worth to be known.
                failed += 1
                print(f"FAILED  {name}: {str(error)[:2000]}")
        browser.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
