"""The APIs of calendars and scripts, asked by the public Python client: what is not served yet says so properly."""

import json
import pathlib
import re
import unittest

import googleapiclient.errors

from interop_common import Case, service

GENERATED = pathlib.Path(__file__).resolve().parent.parent / "generated"
# What parameters of paths and required ones are given; a text that no list names is `x`.
GIVEN = {"versionNumber": 1, "destination": "other@example.com", "text": "Lunch at noon"}


class Others(Case):
    def every_operation(self, api, version, ours):
        """Calls all operations that both the public description and ours have."""
        client = service(api, version)
        document = json.loads((GENERATED / f"{ours}-server" / "openapi.json").read_text())
        names = [method["operationId"] for path in document["paths"].values() for method in path.values()]
        self.assertGreater(len(names), 10)
        for name in names:
            *groups, method = name.split(".")
            resource = client
            for group in groups:
                resource = getattr(resource, group)()
            # The client avoids words of its language.
            call = getattr(resource, method if method != "import" else "import_")
            yield name, call

    def answered(self, call):
        described = call.__doc__
        required = re.findall(r"^  (\w+): [^\n]*\(required\)", described, re.MULTILINE)
        given = {name: GIVEN.get(name, "x") for name in required if name != "body"}
        if re.search(r"^  body: object", described, re.MULTILINE):
            given["body"] = {}
        try:
            return call(**given).execute(), None
        except googleapiclient.errors.HttpError as failure:
            return None, failure

    def whole(self, api, version, ours):
        not_implemented = 0
        for name, call in self.every_operation(api, version, ours):
            with self.subTest(operation=name):
                _, failure = self.answered(call)
                if failure is not None:
                    # A request of made-up values may be a wrong one; what is right is not implemented yet.
                    self.assertIn(failure.resp.status, (400, 404, 501), failure.content)
                    self.assert_error(failure, failure.resp.status)
                    not_implemented += failure.resp.status == 501
        return not_implemented

    def test_calendar(self):
        # Where the channel is right, `events.watch` is answered, too; the made-up one is not.
        self.assertLess(self.whole("calendar", "v3", "calendar"), 2)

    def test_script(self):
        self.assertEqual(self.whole("script", "v1", "script"), 0)


if __name__ == "__main__":
    unittest.main()
