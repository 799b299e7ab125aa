// Sends what a program asks of the public APIs to the server that `WIREFORM_BASE` names: loaded before the program by
// `node --require`, so that the program itself is as it was published.

const http = require("node:http");
const https = require("node:https");

const base = new URL(process.env.WIREFORM_BASE);
const original = https.request;

https.request = function request(target, options, callback) {
  const url = typeof target === "string" ? new URL(target) : target;
  if (!(url instanceof URL)) return original.call(https, target, options, callback);
  if (!url.hostname.endsWith(".googleapis.com")) {
    throw new Error(`${url.hostname} is not asked in this check`);
  }
  const here = new URL(url.pathname + url.search, base);
  // The agent is for TLS, and the server is known by its own name.
  const { agent, ...rest } = options ?? {};
  return http.request(here, { ...rest, headers: { ...rest.headers, host: base.host } }, callback);
};
