// Writes the scenarios as the calls that a client makes: `node scenarios.mjs ADDRESS FILE`, with the address of the mock
// server, which stands in some of the bodies.
import { writeFileSync } from "node:fs";
import { expandDyns } from "@typespec/spec-api";
import { api, folders, scenarios } from "./mocks.mjs";

const [address, file] = process.argv.slice(2);
const config = { baseUrl: address };

const base64 = (content) => ({ base64: Buffer.from(content).toString("base64") });

function body(mock) {
  if (mock?.kind === "multipart") {
    const files = (mock.files ?? []).map((it) => ({
      field: it.fieldname, name: it.originalname, type: it.mimetype, ...base64(it.buffer),
    }));
    return { type: mock.contentType, multipart: { parts: mock.parts ?? {}, files } };
  }
  if (mock?.rawContent === undefined) return null;
  const raw = mock.rawContent;
  const content = typeof raw === "string" || Buffer.isBuffer(raw) ? raw : raw.serialize(config);
  return { type: mock.contentType, ...base64(content) };
}

const call = ({ uri, method, request = {}, response }) => ({
  method: method.toUpperCase(),
  // What Express would take for a variable has a backslash.
  uri: uri.replaceAll("\\", ""),
  query: expandDyns(request.query ?? {}, config),
  headers: expandDyns(request.headers ?? {}, config),
  body: body(request.body),
  response: { status: response.status, headers: expandDyns(response.headers ?? {}, config), body: body(response.body) },
});

/** What parameters with several texts hold, as the specs of styles name it. */
function values(name) {
  const held = { primitive: "a", array: ["a", "b"], record: { a: 1, b: 2 }, model: { field: "status", value: "active" } };
  const kind = name.startsWith("Routes_") ? name.split("_").at(-1) : undefined;
  return kind in held ? { param: held[kind] } : {};
}

const all = [];
for (const folder of folders()) {
  for (const [name, { apis }] of Object.entries(await scenarios(folder))) {
    all.push({ name, api: api(folder), values: values(name), calls: apis.map(call) });
  }
}
writeFileSync(file, JSON.stringify(all, null, 1));
