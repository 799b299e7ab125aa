// Script projects, asked by the public Node.js client over every operation.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { google } from "googleapis";

import { auth, command, options, refused } from "./common.mjs";

const OWNER = "pia@node.example";
const READER = "quin@node.example";
const SCOPES = ["script.projects", "script.deployments", "script.processes", "script.metrics", "userinfo.email"];
const MANIFEST = JSON.stringify({ timeZone: "UTC", executionApi: { access: "MYSELF" } });
const CODE = `
function add(a, b) { return a + b; }
function inner() { return missing.value; }
function broken() { inner(); }
`;

const script = (address, ...scopes) => google.script({ version: "v1", ...options(auth(address, ...(scopes.length ? scopes : SCOPES))) });
const files = (source = CODE) => ({
  files: [
    { name: "appsscript", type: "JSON", source: MANIFEST },
    { name: "Code", type: "SERVER_JS", source },
  ],
});

before(() => {
  for (const address of [OWNER, READER]) command("users", "add", address);
});

describe("scripts", () => {
  let api;
  let scriptId;
  before(async () => {
    api = script(OWNER);
    scriptId = (await api.projects.create({ requestBody: { title: "From Node" } })).data.scriptId;
  });

  test("projects and their content", async () => {
    assert.equal((await api.projects.get({ scriptId })).data.title, "From Node");
    const saved = (await api.projects.updateContent({ scriptId, requestBody: files() })).data;
    // Both names of the manifest are read; the specification's is written, unless the server runs with `--names public`.
    assert.deepEqual(saved.files.map((file) => file.name), ["manifest", "Code"]);
    const functions = saved.files[1].functionSet.values.map((one) => one.name);
    assert.deepEqual(functions, ["add", "inner", "broken"]);
    assert.deepEqual((await api.projects.getContent({ scriptId })).data, saved);
    await refused(400, api.projects.updateContent({ scriptId, requestBody: files("function (") }), { mentions: /files\[1\]\.source/ });
    const twice = { files: [...files().files, { name: "manifest", type: "JSON", source: "{}" }] };
    await refused(400, api.projects.updateContent({ scriptId, requestBody: twice }));
    await refused(404, api.projects.get({ scriptId: "none" }), { reason: "notFound" });
  });

  test("versions", async () => {
    const { versions } = api.projects;
    for (const number of [1, 2, 3]) {
      const made = (await versions.create({ scriptId, requestBody: { description: `${number}` } })).data;
      assert.equal(made.versionNumber, number);
    }
    assert.equal((await versions.get({ scriptId, versionNumber: 2 })).data.description, "2");
    const numbers = [];
    for (let pageToken; ; ) {
      const page = (await versions.list({ scriptId, pageSize: 2, pageToken })).data;
      numbers.push(...page.versions.map((one) => one.versionNumber));
      if (!(pageToken = page.nextPageToken)) break;
    }
    assert.deepEqual(numbers, [3, 2, 1]);
    await refused(404, versions.get({ scriptId, versionNumber: 9 }));
  });

  test("deployments", async () => {
    const { deployments } = api.projects;
    const made = (await deployments.create({ scriptId, requestBody: { versionNumber: 1, description: "first" } })).data;
    assert.deepEqual(made.entryPoints.map((point) => point.entryPointType), ["EXECUTION_API"]);
    const given = { scriptId, deploymentId: made.deploymentId };
    assert.deepEqual((await deployments.get(given)).data, made);
    const requestBody = { deploymentConfig: { versionNumber: 2, description: "second" } };
    assert.equal((await deployments.update({ ...given, requestBody })).data.deploymentConfig.description, "second");
    const [head, ...others] = (await deployments.list({ scriptId })).data.deployments;
    assert.equal(head.deploymentConfig.versionNumber, undefined);
    assert.deepEqual(others.map((one) => one.deploymentId), [made.deploymentId]);
    assert.deepEqual((await deployments.delete(given)).data, {});
    await refused(404, deployments.get(given));
    await refused(400, deployments.delete({ scriptId, deploymentId: head.deploymentId }));
  });

  test("runs, processes and metrics", async () => {
    const run = async (name, ...parameters) =>
      (await api.scripts.run({ scriptId, requestBody: { function: name, parameters, devMode: true } })).data;
    const done = await run("add", 1, 2);
    assert.deepEqual([done.done, done.response.result], [true, 3]);
    const [details] = (await run("broken")).error.details;
    assert.equal(details.errorType, "ReferenceError");
    assert.deepEqual(details.scriptStackTraceElements.slice(0, 2).map((one) => one.function), ["inner", "broken"]);
    await refused(400, api.scripts.run({ scriptId, requestBody: { function: "add()", devMode: true } }));

    const all = (await api.processes.listScriptProcesses({ scriptId })).data.processes;
    assert.deepEqual(all.map((one) => one.functionName), ["broken", "add"]);
    const filter = { "userProcessFilter.scriptId": scriptId, "userProcessFilter.statuses": ["FAILED"] };
    const failed = (await api.processes.list(filter)).data.processes;
    assert.deepEqual(failed.map((one) => one.functionName), ["broken"]);
    const metrics = (await api.projects.getMetrics({ scriptId, metricsGranularity: "DAILY" })).data;
    const count = (name) => Number(metrics[name][0].value);
    assert.deepEqual(["totalExecutions", "failedExecutions", "activeUsers"].map(count), [2, 1, 1]);
  });

  test("who may", async () => {
    await refused(403, script(OWNER, "script.projects.readonly").projects.updateContent({ scriptId, requestBody: files() }));
    await refused(404, script(READER).projects.get({ scriptId }), { reason: "notFound" });
    command("scripts", "share", scriptId, "--with", READER, "--role", "reader");
    assert.equal((await script(READER).projects.get({ scriptId })).data.title, "From Node");
    await refused(403, script(READER).projects.updateContent({ scriptId, requestBody: files() }));
  });
});
