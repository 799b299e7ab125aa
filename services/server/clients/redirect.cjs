// Sends what a program asks of the public APIs to the server that `WIREFORM_BASE` names: loaded before the program by
// `node --require`, so that the program itself is as it was published. Nothing reaches another host: a request that cannot be
// redirected fails, in whatever form it is made (a URL, its parts, or `fetch`).

const http = require("node:http");
const http2 = require("node:http2");
const https = require("node:https");

const base = new URL(process.env.WIREFORM_BASE);

/// Returns the URL here for one of a public API; throws for any other host.
function redirect(url) {
  if (url.host === base.host) return url;
  if (url.protocol !== "https:" || !/^[a-z0-9.-]+[.]googleapis[.]com$/i.test(url.hostname)) {
    throw new Error(`${url.host} is neither a public API nor ${base.host}: the request is not redirected, and not sent`);
  }
  return new URL(url.pathname + url.search, base);
}

/// Returns the URL that the options of a request name.
function fromOptions(options, protocol) {
  const hostname = options.hostname ?? (options.host ?? "localhost").replace(/:[0-9]+$/, "");
  const port = options.port && Number(options.port) !== options.defaultPort ? `:${options.port}` : "";
  return new URL(options.path ?? "/", `${options.protocol ?? protocol}//${hostname}${port}`);
}

/// Replaces the functions of a module that send requests.
function replace(module, protocol) {
  const request = function (target, options, callback) {
    const isUrl = typeof target === "string" || target instanceof URL;
    if (!isUrl) [target, options, callback] = [undefined, target, options];
    if (typeof options === "function") [options, callback] = [{}, options];
    const url = redirect(isUrl ? new URL(target) : fromOptions(options ?? {}, protocol));
    // The agent is for TLS, and the server is known by its own name.
    const { agent, host, hostname, port, protocol: _, path, defaultPort, socketPath, lookup, createConnection, ...rest } =
      options ?? {};
    const headers = { ...(Array.isArray(rest.headers) ? Object.fromEntries(rest.headers) : rest.headers) };
    for (const name of Object.keys(headers)) if (name.toLowerCase() === "host") delete headers[name];
    return send(url, { ...rest, headers: { ...headers, host: base.host } }, callback);
  };
  module.request = request;
  module.get = (...all) => {
    const sent = request(...all);
    sent.end();
    return sent;
  };
}

const send = (base.protocol === "https:" ? https : http).request;
replace(https, "https:");
replace(http, "http:");

http2.connect = (authority) => {
  throw new Error(`${authority} is asked by HTTP/2, which is not redirected, and not sent`);
};

const fetched = globalThis.fetch;
globalThis.fetch = async (target, options) => {
  const sent = new Request(target, options);
  const url = redirect(new URL(sent.url));
  // A request with a body has to be read again, and its length is not known then.
  const body = sent.body === null ? undefined : await sent.arrayBuffer();
  const { method, headers, redirect: follow, signal } = sent;
  return fetched(url, { method, headers, body, redirect: follow === "follow" ? "error" : follow, signal });
};
