// Prints which scenarios passed: `node report.mjs RESULTS COVERAGE REASONS`. One passes where the mock server took every
// request of it, and the client read every response as it was sent. Those that cannot pass stand in the file of reasons,
// `Prefix_of_names: reason` a line; any other one that does not pass is a failure, and so is a reason that is not needed.
import { readFileSync } from "node:fs";

const [results, coverage, reasons] = process.argv.slice(2);
const json = (file) => JSON.parse(readFileSync(file, "utf8"));
const covered = Object.assign({}, ...json(coverage).map((it) => it.results));
const lines = readFileSync(reasons, "utf8").split("\n").filter((it) => it && !it.startsWith("#"));
const known = lines.map((it) => {
  const at = it.indexOf(": ");
  return { name: it.slice(0, at), reason: it.slice(at + 2), scenarios: [], stale: true };
});

let passed = 0;
const unknown = [];
const all = json(results);
for (const { name, problems } of all) {
  if (covered[name] === "pass" && problems.length === 0) {
    passed += 1;
    continue;
  }
  const reason = known.find((it) => name === it.name || name.startsWith(it.name + "_"));
  if (reason) reason.scenarios.push(name);
  else unknown.push(`${name} (${covered[name]}): ${problems.join("; ").replace(/[^ -~]+/g, " ").slice(0, 400) || "the mock server did not see it"}`);
}

const rows = known.filter((it) => it.scenarios.length > 0);
const count = (row) => String(row.scenarios.length).padStart(9);
console.log("scenarios  which");
for (const row of rows) console.log(`${count(row)}  ${row.name}: ${row.reason}`);
for (const row of known.filter((it) => it.scenarios.length === 0)) {
  console.log(`error: \`${row.name}\` passes, and its line in the file of reasons is not needed`);
}
for (const line of unknown) console.log(`error: ${line}`);
const share = ((100 * passed) / all.length).toFixed(1);
console.log(`${passed} of ${all.length} scenarios pass, ${share} percent`);
process.exit(unknown.length > 0 || rows.length < known.length ? 1 : 0);
