// The scenarios of the specs, as the package of the mock server has them.
import { readdirSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "node_modules/@typespec/http-specs");

/** The folders of the specs, relative to that of all, in the order of their names. */
export function folders() {
  const below = readdirSync(join(root, "specs"), { recursive: true }).map((it) => it.replaceAll("\\", "/"));
  return below.filter((it) => it.endsWith("/main.tsp")).map(dirname).sort();
}

/** The scenarios of a folder by their names. */
export async function scenarios(folder) {
  const file = join(root, "dist/specs", folder, "mockapi.js");
  return existsSync(file) ? (await import(pathToFileURL(file))).Scenarios : {};
}

/** What the API of a folder is called: a name has at most 40 letters, none of them a capital. */
export function api(folder) {
  const kebab = folder.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split("/");
  const name = kebab.join("-");
  return name.length > 40 ? kebab.slice(-2).join("-") : name;
}
