// Other public clients for Node.js, each pointed here by configuration alone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { calendar } from "@googleapis/calendar";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { OAuth2Client } from "google-auth-library";
import { Discovery } from "googleapis-common";

const { WIREFORM_SERVICES, WIREFORM_REDIRECT } = process.env;
const BASE = process.env.WIREFORM_BASE.replace(/\/$/, "");
const SCOPE = "https://www.googleapis.com/auth/calendar";
const ada = `ada-${process.pid}@example.org`;

/** Runs a command of the services. */
const command = (...words) => execFileSync(WIREFORM_SERVICES, words, { encoding: "utf8", stdio: "pipe" });

/** Returns credentials whose tokens the server issues. */
function credentials(address) {
  const endpoints = { oauth2TokenUrl: `${BASE}/token`, oauth2RevokeUrl: `${BASE}/revoke` };
  const client = new OAuth2Client({ clientId: "any", clientSecret: "any", endpoints });
  client.setCredentials({ refresh_token: address });
  return client;
}

command("users", "add", ada);

test("google-auth-library revokes a token that it has got", async () => {
  const client = credentials(ada);
  const url = `${BASE}/calendar/v3/users/me/calendarList`;
  assert.equal((await client.request({ url })).status, 200);
  const { access_token: token } = client.credentials;
  await client.revokeCredentials();
  const refused = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(refused.status, 401);
});

test("@googleapis/calendar with a root URL", async () => {
  const client = calendar({ version: "v3", auth: credentials(ada), rootUrl: `${BASE}/` });
  const requestBody = {
    summary: "By the package",
    start: { dateTime: "2026-03-02T09:00:00Z" },
    end: { dateTime: "2026-03-02T10:00:00Z" },
  };
  const made = await client.events.insert({ calendarId: "primary", requestBody });
  const got = await client.events.get({ calendarId: "primary", eventId: made.data.id });
  assert.equal(got.data.summary, "By the package");
  const { data } = await client.calendarList.list();
  assert.deepEqual(data.items.map((item) => item.id), [ada]);
  await client.events.delete({ calendarId: "primary", eventId: made.data.id });
});

test("the discovery of all APIs", async () => {
  const apis = await new Discovery().discoverAllAPIs(`${BASE}/discovery/v1/apis`);
  assert.deepEqual(Object.keys(apis).sort(), ["calendar", "gmail", "script"]);
  const auth = credentials(ada);
  const discovered = apis.calendar({ version: "v3", auth });
  const made = await discovered.events.insert({
    calendarId: "primary",
    requestBody: { summary: "Discovered", start: { date: "2026-03-03" }, end: { date: "2026-03-04" } },
  });
  const { data } = await discovered.events.list({ calendarId: "primary", singleEvents: true });
  assert.deepEqual(data.items.map((item) => item.id), [made.data.id]);
  const profile = await apis.gmail({ version: "v1", auth }).users.getProfile({ userId: "me" });
  assert.equal(profile.data.emailAddress, ada);
  const project = await apis.script({ version: "v1", auth }).projects.create({ requestBody: { title: "Discovered" } });
  assert.ok(project.data.scriptId);
});

test("one API by its document", async () => {
  const create = await new Discovery().discoverAPI(`${BASE}/discovery/v1/apis/calendar/v3/rest`);
  const { data } = await create({ auth: credentials(ada) }).colors.get();
  assert.equal(data.kind, "calendar#colors");
});

test("a server of the Model Context Protocol", async () => {
  const bob = `bob-${process.pid}@example.org`;
  command("users", "add", bob, "--time-zone", "Europe/London");
  const folder = mkdtempSync(join(tmpdir(), "wireform-mcp-"));
  const keys = { installed: { client_id: "any", client_secret: "any", redirect_uris: ["http://localhost:3000/oauth2callback"] } };
  // The token has expired: the first call requests another one.
  const tokens = { normal: { refresh_token: bob, access_token: "expired", expiry_date: 1, scope: SCOPE, token_type: "Bearer" } };
  writeFileSync(join(folder, "keys.json"), JSON.stringify(keys));
  writeFileSync(join(folder, "tokens.json"), JSON.stringify(tokens), { mode: 0o600 });
  const here = dirname(fileURLToPath(import.meta.url));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(here, "node_modules/@cocal/google-calendar-mcp/build/index.js")],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      WIREFORM_BASE: BASE,
      NODE_OPTIONS: `--require ${WIREFORM_REDIRECT}`,
      GOOGLE_OAUTH_CREDENTIALS: join(folder, "keys.json"),
      GOOGLE_CALENDAR_MCP_TOKEN_PATH: join(folder, "tokens.json"),
    },
    stderr: "inherit",
  });
  const client = new Client({ name: "interop", version: "1" });
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "create-event"), tools.map((tool) => tool.name).join(", "));
    /** Calls a tool, and returns its answer. */
    const call = async (name, input) => {
      const answer = await client.callTool({ name, arguments: input });
      const text = answer.content.map((part) => part.text).join("\n");
      assert.ok(!answer.isError, text);
      return text;
    };
    assert.match(await call("list-calendars", {}), new RegExp(bob));
    const day = { calendarId: "primary", timeZone: "Europe/London" };
    const created = await call("create-event", {
      ...day, summary: "By a tool", start: "2026-03-02T09:00:00", end: "2026-03-02T10:00:00",
    });
    const id = JSON.parse(created).event.id;
    assert.match(await call("list-events", { ...day, timeMin: "2026-03-02T00:00:00", timeMax: "2026-03-03T00:00:00" }), /By a tool/);
    assert.match(await call("update-event", { ...day, eventId: id, summary: "Renamed by a tool" }), /Renamed by a tool/);
    assert.match(await call("search-events", { ...day, query: "renamed", timeMin: "2026-03-01T00:00:00", timeMax: "2026-03-09T00:00:00" }), /Renamed by a tool/);
    const busy = { calendars: [{ id: "primary" }], timeMin: "2026-03-02T00:00:00Z", timeMax: "2026-03-03T00:00:00Z" };
    assert.match(await call("get-freebusy", busy), /2026-03-02T09:00:00Z/);
    await call("list-colors", {});
    await call("delete-event", { ...day, eventId: id });
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
