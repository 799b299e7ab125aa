"""Script projects, asked by the public Python client over every operation."""

import json
import unittest

import googleapiclient.errors

from interop_common import Case, command, new_token, service

MANIFEST = {"timeZone": "UTC", "runtimeVersion": "V8", "executionApi": {"access": "ANYONE"}}
CODE = """
function add(a, b) { return a + b; }
function inner() { return missing.value; }
function broken() { inner(); }
function remember(value) {
  const all = PropertiesService.getScriptProperties();
  const before = all.getProperty("value");
  all.setProperty("value", value);
  return before;
}
"""


def files(code=CODE, manifest=MANIFEST):
    return {
        "files": [
            {"name": "appsscript", "type": "JSON", "source": json.dumps(manifest)},
            {"name": "Code", "type": "SERVER_JS", "source": code},
        ]
    }


class Scripts(Case):
    def setUp(self):
        self.client = service("script", "v1")
        self.projects = self.client.projects()
        made = self.projects.create(body={"title": "From outside"}).execute()
        self.id = made["scriptId"]

    def assert_refused(self, status, request):
        with self.assertRaises(googleapiclient.errors.HttpError) as failure:
            request.execute()
        self.assertEqual(failure.exception.resp.status, status, failure.exception.content)
        self.assert_error(failure.exception, status)
        return json.loads(failure.exception.content)["error"]

    def save(self, **given):
        return self.projects.updateContent(scriptId=self.id, body=files(**given)).execute()

    def deploy(self):
        self.save()
        number = self.projects.versions().create(scriptId=self.id, body={}).execute()["versionNumber"]
        body = {"versionNumber": number, "description": "first"}
        return self.projects.deployments().create(scriptId=self.id, body=body).execute()

    def run_function(self, name, *parameters, client=None, **more):
        body = {"function": name, "parameters": list(parameters), **more}
        return (client or self.client).scripts().run(scriptId=self.id, body=body).execute()

    def test_projects_and_content(self):
        project = self.projects.get(scriptId=self.id).execute()
        self.assertEqual(project["title"], "From outside")
        saved = self.save()
        self.assertEqual(saved["scriptId"], self.id)
        functions = {one["name"]: one.get("parameters", []) for one in saved["files"][1]["functionSet"]["values"]}
        self.assertEqual(functions, {"add": ["a", "b"], "inner": [], "broken": [], "remember": ["value"]})
        self.assertEqual(self.projects.getContent(scriptId=self.id).execute(), saved)
        error = self.assert_refused(400, self.projects.updateContent(scriptId=self.id, body=files(code="function (")))
        self.assertEqual(error["errors"][0]["location"], "files[1].source")

    def test_versions(self):
        self.save()
        versions = self.projects.versions()
        for number in (1, 2, 3):
            made = versions.create(scriptId=self.id, body={"description": str(number)}).execute()
            self.assertEqual(made["versionNumber"], number)
        self.assertEqual(versions.get(scriptId=self.id, versionNumber=2).execute()["description"], "2")
        numbers, request = [], versions.list(scriptId=self.id, pageSize=2)
        while request is not None:
            page = request.execute()
            numbers += [one["versionNumber"] for one in page["versions"]]
            request = versions.list_next(request, page)
        self.assertEqual(numbers, [3, 2, 1])
        self.save(code="function other() {}")
        then = self.projects.getContent(scriptId=self.id, versionNumber=1).execute()
        self.assertEqual(then["files"][1]["source"], CODE)

    def test_deployments(self):
        deployments = self.projects.deployments()
        made = self.deploy()
        self.assertEqual([point["entryPointType"] for point in made["entryPoints"]], ["EXECUTION_API"])
        given = {"scriptId": self.id, "deploymentId": made["deploymentId"]}
        self.assertEqual(deployments.get(**given).execute(), made)
        config = {"deploymentConfig": {"versionNumber": 1, "description": "second"}}
        changed = deployments.update(**given, body=config).execute()
        self.assertEqual(changed["deploymentConfig"]["description"], "second")
        listed = deployments.list(scriptId=self.id).execute()["deployments"]
        self.assertEqual(len(listed), 2)
        self.assertNotIn("versionNumber", listed[0]["deploymentConfig"])
        self.assertEqual(deployments.delete(**given).execute(), {})
        self.assert_refused(404, deployments.get(**given))
        head = {"scriptId": self.id, "deploymentId": listed[0]["deploymentId"]}
        self.assert_refused(400, deployments.delete(**head))

    def test_runs_processes_and_metrics(self):
        self.deploy()
        done = self.run_function("add", 1, 2)
        self.assertTrue(done["done"])
        self.assertEqual(done["response"]["result"], 3)
        error = self.run_function("broken")["error"]
        details = error["details"][0]
        self.assertEqual(details["errorType"], "ReferenceError")
        stack = [one["function"] for one in details["scriptStackTraceElements"]]
        self.assertEqual(stack[:2], ["inner", "broken"])
        self.run_function("remember", "x")
        self.assertEqual(self.run_function("remember", "y")["response"]["result"], "x")
        self.assertIn("error", self.run_function("unknown"))
        self.assert_refused(400, self.client.scripts().run(scriptId=self.id, body={"function": "add()"}))

        processes = self.client.processes()
        listed = processes.listScriptProcesses(scriptId=self.id, pageSize=3).execute()
        self.assertEqual([one["functionName"] for one in listed["processes"]], ["unknown", "remember", "remember"])
        failed = processes.list(userProcessFilter_scriptId=self.id, userProcessFilter_statuses=["FAILED"]).execute()
        self.assertEqual([one["functionName"] for one in failed["processes"]], ["unknown", "broken"])
        self.assertEqual({one["userAccessLevel"] for one in failed["processes"]}, {"OWNER"})
        metrics = self.projects.getMetrics(scriptId=self.id, metricsGranularity="DAILY").execute()
        count = lambda name: int(metrics[name][0]["value"])
        self.assertEqual((count("totalExecutions"), count("failedExecutions"), count("activeUsers")), (5, 2, 1))

    def test_what_is_saved_runs_for_owners_alone(self):
        self.deploy()
        self.save(code="function add(a, b) { return 'saved'; }")
        self.assertEqual(self.run_function("add", 1, 2, devMode=True)["response"]["result"], "saved")
        address = f"{self.id[-8:].lower().replace('-', 'x').replace('_', 'x')}@elsewhere.example"
        command("users", "add", address)
        other = service("script", "v1", new_token(address, "all"))
        self.assertEqual(self.run_function("add", 1, 2, client=other, devMode=True)["response"]["result"], 3)
        self.assert_refused(404, other.projects().get(scriptId=self.id))
        command("scripts", "share", self.id, "--with", address, "--role", "reader")
        self.assertEqual(other.projects().get(scriptId=self.id).execute()["title"], "From outside")
        self.assert_refused(403, other.projects().updateContent(scriptId=self.id, body=files()))


if __name__ == "__main__":
    unittest.main()
