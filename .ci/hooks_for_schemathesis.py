"""What Schemathesis has to know of our documents that JSON Schema does not say."""

import json
import os
import pathlib
import re
import urllib.request

import schemathesis
from hypothesis import strategies as st

# Texts of formats that are not of JSON Schema.
schemathesis.openapi.format("time-zone", st.sampled_from(["UTC", "Europe/Zurich", "America/New_York", "Asia/Kolkata"]))
schemathesis.openapi.format("media-type", st.sampled_from(["text/plain", "application/pdf", "text/html; charset=utf-8"]))
schemathesis.openapi.format("etag", st.from_regex(r'\A(W/)?"[!#-~]{0,20}"\Z', fullmatch=True))
schemathesis.openapi.format(
    "recurrence",
    st.sampled_from(["RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20260101"]),
)

# Parameters that would make nearly every request a wrong one, so that nothing else was ever looked at: tokens that
# only an earlier answer can give, credentials beside the header, selections that name no member, and forms of answers
# that are refused. Tests of their own hold them.
LEFT_OUT = {
    "access_token",
    "alt",
    "callback",
    "fields",
    "key",
    "oauth_token",
    "pageToken",
    "syncToken",
    "uploadType",
    "upload_protocol",
    "$.xgafv",
}


# A server with a store: BASE and TOKEN as in `serve`. NOT_IMPLEMENTED says that the API is not served yet.
BASE, TOKEN = os.environ.get("WIREFORM_BASE"), os.environ.get("WIREFORM_TOKEN")
NOT_IMPLEMENTED = bool(os.environ.get("NOT_IMPLEMENTED"))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Leaves out what is left out, and names what is there: made-up users, messages and labels are refused at the
    door, so that what is made to be right mostly names some that are there. What is deleted stays made up: it would
    not be there for the others."""
    if case.query:
        case.query = {name: value for name, value in case.query.items() if name not in LEFT_OUT}
    if not BASE or case.meta is None or case.operation.method.upper() == "DELETE":
        return
    right = {str(where.value) for where, part in case.meta.components.items() if not part.mode.is_negative}
    if "path" in right and case.path_parameters:
        kind = "messages" if "/messages" in case.operation.path else "labels"
        for name, there in (("userId", lambda: ["me"]), ("id", lambda: names_of(kind))):
            if name in case.path_parameters:
                case.path_parameters[name] = choose(case.path_parameters[name], there())
    if "query" in right and case.query and "startHistoryId" in case.query:
        case.query["startHistoryId"] = choose(case.query["startHistoryId"], [read("profile")["historyId"]])
    if "body" in right and isinstance(case.body, dict):
        for name, there in (("ids", names_of("messages")), ("addLabelIds", names_of("labels")), ("removeLabelIds", TAKEN)):
            if isinstance(case.body.get(name), list):
                case.body[name] = [choose(value, there) for value in case.body[name] or [""]]


def choose(value, there):
    """One of what is there; a third of the values stays as it is. The value alone decides, so that a run can be made
    again."""
    number = sum(str(value).encode())
    return there[number % len(there)] if there and number % 3 != 2 else value


def names_of(kind):
    """The names of the messages that are there, or of the labels that can be changed and given."""
    if kind not in THERE:
        THERE[kind] = [item["id"] for item in read(kind).get(kind, []) if item.get("type") != "system"]
    return THERE[kind]


def read(what):
    request = urllib.request.Request(f"{BASE}/mail/v1/users/me/{what}", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


THERE = {}
# Labels that most messages have at first, and that none is given.
TAKEN = ["INBOX", "UNREAD"]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Single failures that are no faults, each with the reason."""
    return not any(explains(failure, case, response) for explains in EXPLAINED)


def negative_outside_of_the_body(failure, case, response):
    """A server that takes a wrong parameter is at fault only if the parameter was sent, and is wrong on the wire:
    `0` is a boolean there, `null` is a text, and the parameters above are taken out after they were made wrong."""
    if type(failure).__name__ != "AcceptedNegativeData" or case.meta is None:
        return False
    negative = [str(location.value) for location, part in case.meta.components.items() if part.mode.is_negative]
    return "body" not in negative


def read_only_members(failure, case, response):
    """Members that only the server writes are dropped and not refused, so that people can read, change and send back
    whole resources; Schemathesis takes a body with one for a wrong one."""
    if type(failure).__name__ != "AcceptedNegativeData" or not isinstance(case.body, dict):
        return False
    return bool(READ_ONLY & set(case.body))


def literal_beside_a_variable(failure, case, response):
    """`/events/import` is an address of its own for POST, and for other methods that of the event `import`: `Allow`
    names the methods of both, Schemathesis knows those of the first alone."""
    if type(failure).__name__ != "AllowHeaderMismatch" or failure.missing_methods:
        return False
    paths = case.operation.schema.raw_schema["paths"]
    mine = case.operation.path.split("/")
    methods = set()
    for path, item in paths.items():
        steps = path.split("/")
        if len(steps) == len(mine) and all(a == b or a.startswith("{") for a, b in zip(steps, mine)):
            methods |= {method.upper() for method in item}
    return set(failure.undocumented_methods) <= methods


def not_implemented(failure, case, response):
    """An API that is not served yet says 501 to whoever may ask; another failure of the server is one."""
    return NOT_IMPLEMENTED and type(failure).__name__ == "ServerError" and response.status_code == 501


def listed_as_unimplemented(failure, case, response):
    """A method of a path can belong to an operation that the server names as one that it does not implement: the
    document lists it in `x-wireform-api`, and the answer is 501 with its name instead of 405."""
    if type(failure).__name__ not in ("ServerError", "UnsupportedMethodResponse") or response.status_code != 501:
        return False
    operations = case.operation.schema.raw_schema["x-wireform-api"].get("unimplemented", {})
    method, path = response.request.method, case.operation.path
    return any(shape(f"{method} {path}") == shape(target) for target in operations.values())


def shape(target):
    """A method and a path, whatever its variables are called."""
    return re.sub(r"{[^}]*}", "{}", target)


def read_only_names():
    names = set()
    for path in pathlib.Path(__file__).parent.parent.glob("generated/*-server/openapi.json"):
        schemas = json.loads(path.read_text())["components"]["schemas"]
        for schema in schemas.values():
            names |= {name for name, member in schema.get("properties", {}).items() if member.get("readOnly")}
    return names


READ_ONLY = read_only_names()
EXPLAINED = [negative_outside_of_the_body, read_only_members, literal_beside_a_variable, not_implemented, listed_as_unimplemented]
