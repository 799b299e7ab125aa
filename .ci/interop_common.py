"""What the tests with the public Python client share: services, tokens, and what an answer has to look like."""

import base64
import contextlib
import email.message
import email.utils
import json
import os
import re
import subprocess
import unittest

import google.oauth2.credentials
import google_auth_httplib2
import googleapiclient.discovery
import googleapiclient.discovery_cache
import googleapiclient.errors
import httplib2

BASE = os.environ["WIREFORM_BASE"].rstrip("/")
READY_TOKEN = os.environ["WIREFORM_TOKEN"]


def document(api, version):
    """The description of a public API that the client comes with."""
    return json.loads(googleapiclient.discovery_cache.get_static_doc(api, version))


MAIL = document("gmail", "v1")


def service(api, version, token=READY_TOKEN):
    """The unmodified client of a public API, which asks the server under test."""
    described = document(api, version)
    credentials = google.oauth2.credentials.Credentials(token)
    # A token that is not accepted is an answer to look at, and no reason to ask for another.
    http = google_auth_httplib2.AuthorizedHttp(credentials, http=httplib2.Http(timeout=60), refresh_status_codes=())
    return googleapiclient.discovery.build_from_document(
        described, http=http, client_options={"api_endpoint": f"{BASE}/{described['servicePath']}"}
    )


def mail(token=READY_TOKEN):
    return service("gmail", "v1", token).users()


def command(*arguments):
    """What a subcommand of the services says."""
    done = subprocess.run(
        [os.environ["WIREFORM_SERVICES"], *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise AssertionError(f"{arguments} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def new_user(address):
    command("users", "add", address)
    return new_token(address, "mail")


def new_token(address, *scopes):
    """A token of that user with those scopes."""
    named = [part for scope in scopes for part in ("--scope", scope)]
    return command("tokens", "create", "--user", address, *named).split()[-1]


def raw(message):
    """A message as it is sent in JSON; bytes go as they are."""
    content = message if isinstance(message, bytes) else bytes(message)
    return {"raw": base64.urlsafe_b64encode(content).decode()}


def unraw(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def letter(subject, text="Nothing much.", sender="Ada <ada@example.org>", date=None, **headers):
    """A plain message."""
    message = email.message.EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "Bob <bob@example.org>", subject
    message["Date"] = email.utils.formatdate(date if date is not None else 1_700_000_000)
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


class Case(unittest.TestCase):
    """A test that looks at answers the way the public description of the API does."""

    maxDiff = None

    @contextlib.contextmanager
    def refused(self, status, *mentions, reason=None, location=None):
        """What is done within is answered with that status, and with an error body that is whole."""
        with self.assertRaises(googleapiclient.errors.HttpError) as caught:
            yield
        self.assert_error(caught.exception, status, mentions, reason, location)

    def assert_error(self, failure, status, mentions=(), reason=None, location=None):
        self.assertEqual(failure.resp.status, status, failure.content)
        self.assertTrue(failure.resp["content-type"].startswith("application/json"), failure.resp)
        body = json.loads(failure.content)
        self.assertEqual(list(body), ["error"])
        error = body["error"]
        self.assertEqual(error["code"], status)
        self.assertTrue(error["message"])
        for item in error.get("errors", []):
            self.assertTrue(item["domain"] and item["reason"] and item["message"], item)
        for mention in mentions:
            self.assertIn(mention, json.dumps(error, ensure_ascii=False))
        if reason:
            self.assertIn(reason, [item["reason"] for item in error["errors"]])
        if location:
            self.assertIn(location, [item.get("location") for item in error["errors"]])

    def assert_conforms(self, value, schema, described=MAIL, at="$"):
        """A value has the members and types that the public description gives to that schema, and no others."""
        if "$ref" in schema:
            schema = described["schemas"][schema["$ref"]]
        kind, form = schema["type"], schema.get("format")
        if kind == "object" and "properties" in schema:
            self.assertIsInstance(value, dict, at)
            for name, member in value.items():
                self.assertIn(name, schema["properties"], at)
                self.assert_conforms(member, schema["properties"][name], described, f"{at}.{name}")
        elif kind == "array":
            self.assertIsInstance(value, list, at)
            for index, item in enumerate(value):
                self.assert_conforms(item, schema["items"], described, f"{at}[{index}]")
        elif kind == "string":
            self.assertIsInstance(value, str, at)
            if form in ("int64", "uint64"):
                self.assertRegex(value, r"\A-?[0-9]+\Z" if form == "int64" else r"\A[0-9]+\Z", at)
            elif form == "byte":
                self.assertRegex(value, r"\A[A-Za-z0-9_-]*={0,2}\Z", at)
            if "enum" in schema:
                self.assertIn(value, schema["enum"], at)
        elif kind == "integer":
            self.assertIs(type(value), int, at)
        elif kind == "boolean":
            self.assertIs(type(value), bool, at)

    def answer(self, call, schema=None):
        """What a call is answered, which is of that schema, or of the one that the call promises."""
        value = call.execute()
        if schema is None:
            schema = responses()[call.methodId]
        if schema:
            self.assert_conforms(value, {"$ref": schema})
        else:
            self.assertFalse(value, "an operation without an answer says something")
        return value


def responses():
    """The schema that each operation of mail answers, by its name; none where it answers nothing."""
    found = {}

    def walk(resources):
        for resource in resources.values():
            for method in resource.get("methods", {}).values():
                found[method["id"]] = method.get("response", {}).get("$ref")
            walk(resource.get("resources", {}))

    walk(MAIL["resources"])
    return found


def pages(resource, call, member, limit=1000):
    """All items of a list, page by page, as the client walks them."""
    items, sizes = [], []
    while call is not None and len(sizes) < limit:
        page = call.execute()
        found = page.get(member, [])
        items += found
        sizes.append(len(found))
        call = (resource.history() if member == "history" else resource.messages()).list_next(call, page)
    return items, sizes


def is_name(text):
    """Whether a text can be the name of a message or thread: hexadecimal digits, as in public answers."""
    return re.fullmatch(r"[0-9a-f]{1,16}", text) is not None
