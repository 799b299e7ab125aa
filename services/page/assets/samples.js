// Writes samples of a call of an operation in several languages, from the description of its API.
"use strict";

globalThis.samplesOf = ({ description, crate, base, token }) => {
  const resolve = (schema) => {
    while (schema?.$ref) schema = description.components[schema.$ref.split("/")[2]][schema.$ref.split("/")[3]];
    return schema ?? {};
  };

  /** A value of a schema: with its required fields, and those with an example. */
  function valueOf(schema, depth = 0) {
    const found = resolve(schema);
    const example = found.examples?.[0] ?? found.example ?? found.const ?? found.default ?? found.enum?.[0];
    if (example !== undefined) return example;
    const types = [found.type].flat();
    const choice = (found.anyOf ?? found.oneOf)?.find((one) => one.type !== "null");
    if (choice) return valueOf(choice, depth);
    if (found.properties) {
      const fields = Object.entries(found.properties).filter(([name, field]) => {
        const whole = { ...resolve(field), ...field };
        return !whole.readOnly && (found.required?.includes(name) || (whole.examples && depth < 2));
      });
      return Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field, depth + 1)]));
    }
    if (types.includes("array")) return [valueOf(found.items, depth + 1)];
    if (types.includes("integer") || types.includes("number")) return 1;
    if (types.includes("boolean")) return true;
    if (types.includes("object")) return {};
    return found.format === "date" ? "2026-03-02" : found.format === "date-time" ? "2026-03-02T09:00:00Z" : "text";
  }

  /** The value of a required parameter: its example, or its name. */
  function argument(parameter) {
    const schema = resolve(parameter.schema);
    if (parameter.example !== undefined) return parameter.example;
    const isNumber = [schema.type].flat().includes("integer") || /int/.test(parameter["x-wireform-type"] ?? "");
    return isNumber ? 1 : schema.enum?.[0] ?? parameter.name;
  }

  const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  // The words that a method in Rust cannot have as its name, as far as operations have them.
  const method = (name) => (["move", "type", "match"].includes(name) ? `r#${name}` : snake(name));

  function rust(operation, parameters) {
    const groups = operation.operationId.split(".");
    const last = groups.pop();
    const values = parameters.map((parameter) => JSON.stringify(argument(parameter)));
    const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema.$ref?.split("/").pop();
    if (body) {
      const [type, variant] = body.split(".");
      values.push(`${crate}::types::${type}${variant === "Patch" ? "Patch" : ""}::default()`);
    }
    const call = `client.${groups.map((group) => `${snake(group)}().`).join("")}${method(last)}(${values.join(", ")})`;
    const result = operation.responses["200"] ? "let response = " : "";
    return [
      `use ${crate}::{Client, runtime::Credentials};`, "",
      `let client = Client::builder().base_url("${base}").credentials(Credentials::token("${token}")).build()?;`,
      `${result}${call}.send().await?;`,
    ].join("\n");
  }

  return (path, verb) => {
    const operation = description.paths[path][verb];
    const parameters = operation.parameters.map(resolve).filter((parameter) => parameter.required);
    const encoded = (parameter) => encodeURIComponent(argument(parameter));
    let url = base + path;
    for (const one of parameters.filter((parameter) => parameter.in === "path")) url = url.replace(`{${one.name}}`, encoded(one));
    const query = parameters.filter((parameter) => parameter.in === "query").map((one) => `${one.name}=${encoded(one)}`);
    if (query.length > 0) url += `?${query.join("&")}`;
    const content = Object.values(operation.requestBody?.content ?? {})[0];
    const body = content && JSON.stringify(valueOf(content.schema), null, 2);
    const name = verb.toUpperCase();
    const hasResult = Boolean(operation.responses["200"]);

    const curl = [
      `curl${name === "GET" || (name === "POST" && body) ? "" : ` -X ${name}`} -H 'Authorization: Bearer ${token}'`,
      ...(body ? [`--json '${body.replaceAll("'", "'\\''")}'`] : []), `'${url}'`,
    ].join(" \\\n  ");
    const headers = [`"Authorization": "Bearer ${token}"`, ...(body ? ['"Content-Type": "application/json"'] : [])];
    const python = [
      ...(hasResult ? ["import json"] : []), "import urllib.request", "",
      ...(body ? [`body = r"""${body}"""`] : []),
      `headers = {${headers.join(", ")}}`,
      `request = urllib.request.Request("${url}", ${body ? "body.encode()" : "None"}, headers, method="${name}")`,
      hasResult ? "print(json.load(urllib.request.urlopen(request)))" : "urllib.request.urlopen(request)",
    ].join("\n");
    const node = [
      ...(body ? [`const body = JSON.stringify(${body});`] : []),
      `const headers = { ${headers.join(", ")} };`,
      `const response = await fetch("${url}", { method: "${name}", headers${body ? ", body" : ""} });`,
      hasResult ? "console.log(await response.json());" : "console.log(response.status);",
    ].join("\n");
    return { curl, Python: python, "Node.js": node, Rust: rust(operation, parameters) };
  };
};
