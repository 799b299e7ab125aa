// Compiles each of the specs to OpenAPI 3.1: `node documents.mjs FOLDER` writes one document a service. Warnings of the
// emitter, such as a path with a query in it, keep no document back: what is in it is what a user would be handed.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { NodeHost, compile } from "@typespec/compiler";
import { getOpenAPI3 } from "@typespec/openapi3";
import { api, folders, root } from "./mocks.mjs";

const out = resolve(process.argv[2]);
mkdirSync(out, { recursive: true });
// The emitter looks a parameter's examples up by its name, and takes those of one that is called `constructor` from the
// prototype of all objects: a function, whose length is then that of the examples.
Object.defineProperty(Object, "length", { value: 0 });

for (const folder of folders()) {
  const program = await compile(NodeHost, join(root, "specs", folder, "main.tsp"), { noEmit: true });
  const services = await getOpenAPI3(program, { "openapi-versions": ["3.1.0"] });
  // Of a service with versions the last one is what the mock server speaks.
  const documents = services.map((it) => (it.versioned ? it.versions.at(-1).document : it.document));
  documents.forEach((document, index) => {
    const name = api(folder) + (index === 0 ? "" : `-${index}`);
    document.info.title = name;
    writeFileSync(join(out, `${name}.json`), JSON.stringify(document, null, 1));
  });
}
