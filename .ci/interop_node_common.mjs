// What the checks of the public Node.js client share.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

import { google } from "googleapis";

const { WIREFORM_BASE, WIREFORM_SERVICES } = process.env;

/** Runs a command of the services, and returns what it prints. */
export const command = (...words) => execFileSync(WIREFORM_SERVICES, words, { encoding: "utf8", stdio: "pipe" });

/** Returns the credentials of a user by a new token. */
export function auth(address, ...scopes) {
  const named = scopes.flatMap((scope) => ["--scope", scope]);
  const token = command("tokens", "create", "--user", address, ...named).trim().split(/\s+/).at(-1);
  const client = new google.auth.OAuth2();
  client.setCredentials({ access_token: token });
  return client;
}

/** Returns the options of a client that asks this server, as a user. */
export const options = (client) => ({ auth: client, rootUrl: `${WIREFORM_BASE.replace(/\/$/, "")}/`, retry: false });

/** What is done is refused with that status, and with an error body that is whole. */
export async function refused(status, promise, { reason, mentions } = {}) {
  const failure = await promise.then(
    () => assert.fail(`nothing was refused with ${status}`),
    (failure) => failure,
  );
  assert.equal(failure.status ?? failure.response?.status, status, failure.message);
  const { error } = failure.response.data;
  assert.equal(error.code, status);
  assert.ok(error.message);
  if (reason) assert.ok(error.errors.some((item) => item.reason === reason), JSON.stringify(error));
  if (mentions) assert.match(JSON.stringify(error), mentions);
}
