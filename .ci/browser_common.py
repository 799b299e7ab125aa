"""What the steps in a browser have in common: requests of the APIs, and what they make to look at."""

import base64
import contextlib
import functools
import json
import os
import socketserver
import subprocess
import threading
import urllib.parse
import urllib.request

BASE = os.environ["WIREFORM_BASE"].rstrip("/")
TOKEN = os.environ["WIREFORM_TOKEN"]
WIDE, NARROW = {"width": 1400, "height": 900}, {"width": 400, "height": 800}


def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@functools.cache
def calendar():
    """The identifier of the calendar of these tests, as addresses have it."""
    command = [os.environ["WIREFORM_SERVICES"], "calendars", "add", "Tests", "--user", user(), "--time-zone", "Europe/London"]
    subprocess.run(command, check=True, capture_output=True)
    listed = subprocess.run(command[:2] + ["list", "--user", user(), "--json"], check=True, capture_output=True)
    found = [one["id"] for one in json.loads(listed.stdout) if one["summary"] == "Tests"]
    return urllib.parse.quote(found[0])


def add_event(**event):
    return ask("POST", f"/calendar/v3/calendars/{calendar()}/events", event)["id"]


def at(time):
    return {"dateTime": time, "timeZone": "Europe/London"} if "T" in time else {"date": time}


def add_message(text, **body):
    raw = base64.urlsafe_b64encode(text.replace("\n", "\r\n").encode()).decode()
    return ask("POST", "/mail/v1/users/me/messages", {"raw": raw, "labelIds": ["INBOX"], **body})["id"]


def user():
    return ask("GET", "/mail/v1/users/me/profile")["emailAddress"]


def box(locator):
    found = locator.bounding_box()
    assert found, f"{locator} is not shown"
    return found


def fits(page):
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"the page is {width} wide"


@contextlib.contextmanager
def elsewhere():
    """Another server, and how often somebody has connected to it."""
    calls = []

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            calls.append(self.client_address)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", calls
        server.shutdown()
