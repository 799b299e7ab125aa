// Shows the description of an API and fills in the ready token, where this server hands one out.
"use strict";

(async () => {
  // Swagger UI has a class for dark pages and does not look what is preferred.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const shade = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", shade);
  shade();

  const place = document.getElementById("reference");
  const said = document.getElementById("said");

  // The header shows the server that the request is not from a page of another origin, if the browser sends no origin.
  async function read(address) {
    const response = await fetch(address, { credentials: "omit", headers: { "X-Wireform-Program": "page" } });
    const body = await response.json();
    if (!response.ok) throw new Error(body.error?.message ?? `${address} returned ${response.status}`);
    return body;
  }

  // The addresses of the OAuth flows stand in for an authorization server that is not here: tokens are filled in.
  // The description of the operation lists its scopes.
  function withTokensAlone(description) {
    delete description.components?.securitySchemes?.oauth2;
    for (const path of Object.values(description.paths)) {
      for (const operation of Object.values(path)) {
        if (!Array.isArray(operation?.security)) continue;
        const scopes = operation.security.flatMap((way) => way.oauth2 ?? []).map((scope) => `\`${scope}\``);
        operation.security = operation.security.filter((way) => !("oauth2" in way));
        if (scopes.length > 0) {
          const needs = `A token requires one of these scopes: ${scopes.join(", ")}.`;
          operation.description = operation.description ? `${operation.description}\n\n${needs}` : needs;
        }
      }
    }
    return description;
  }

  // Swagger UI makes samples of bytes by a library that does not know base64url, and shows nothing of the operation
  // then: the encoding becomes a format.
  function withoutUnknownEncodings(value) {
    if (typeof value !== "object" || value === null) return value;
    if (value.contentEncoding === "base64url") {
      delete value.contentEncoding;
      value.format ??= "base64url";
    }
    Object.values(value).forEach(withoutUnknownEncodings);
    return value;
  }

  /** Names the fields to which Swagger UI gives no name: by the parameter in whose row they are, or by what they choose. */
  function name(within) {
    // What scrolls can be scrolled by the keyboard.
    for (const block of within.querySelectorAll("pre:not([tabindex])")) block.tabIndex = 0;
    for (const field of within.querySelectorAll("select, input, textarea")) {
      if (field.labels?.length && field.labels[0].textContent.trim() && field.id !== "servers") continue;
      if (field.hasAttribute("aria-label")) continue;
      const row = field.closest("tr[data-param-name]")?.dataset.paramName;
      field.setAttribute("aria-label", row ?? (field.id === "servers" ? "Server" : field.closest(".opblock-section-request-body") ? "Request body" : "Media type"));
    }
  }

  /** Whether a response is an error. */
  const isError = (status) => status === "default" || Number(status) >= 400;

  /** Moves what operations say of errors into one list: by status, what most operations mean by it, and the reasons. */
  function takeErrors(description) {
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    const errors = {};
    for (const { responses } of operations) {
      for (const [status, response] of Object.entries(responses).filter(([status]) => isError(status))) {
        const error = (errors[status] ??= { texts: new Map(), reasons: new Set(), count: 0 });
        error.count += 1;
        error.texts.set(response.description, (error.texts.get(response.description) ?? 0) + 1);
        for (const reason of response["x-wireform-reasons"] ?? []) error.reasons.add(reason);
      }
    }
    for (const error of Object.values(errors)) {
      const [text, count] = [...error.texts].sort((one, other) => other[1] - one[1])[0];
      error.common = 2 * count > error.count ? text : null;
    }
    // An operation keeps what it alone says.
    for (const operation of operations) {
      const own = Object.entries(operation.responses).filter(([status, { description }]) => isError(status) && description !== errors[status].common);
      operation.responses = Object.fromEntries(Object.entries(operation.responses).filter(([status]) => !isError(status)));
      const lines = own.map(([status, response]) => `* **${status}** ${response.description}`);
      if (lines.length > 0) operation.description = [operation.description, `Errors:\n\n${lines.join("\n")}`].filter(Boolean).join("\n\n");
    }
    return errors;
  }

  let token = null;
  try {
    token = (await read("/session")).token;
    said.textContent = token === null
      ? "This server has no ready token: enter a token by “Authorize”."
      : "The ready token of this server is filled in.";
  } catch (error) {
    said.textContent = `No token is filled in (${error.message}): enter a token by “Authorize”.`;
  }

  let description;
  try {
    description = withoutUnknownEncodings(withTokensAlone(await read(place.dataset.document)));
  } catch (error) {
    said.textContent = `The description cannot be read: ${error.message}`;
    return;
  }
  const errors = takeErrors(description);
  const server = new URL(description.servers[0].url, location.origin).href.replace(/\/$/, "");
  const crate = `${place.dataset.api}_client`;
  const samples = samplesOf({ description, crate, base: server, token: token ?? "TOKEN" });

  /** The parts that differ from those of Swagger UI: the page, samples of operations, and one section for errors. */
  function parts({ React }) {
    const h = React.createElement;

    function Code({ text }) {
      const [said, say] = React.useState("Copy");
      const copy = () => navigator.clipboard?.writeText(text).then(() => say("Copied"), () => say("Not copied"));
      return h("div", { className: "code" }, h("button", { type: "button", onClick: copy }, said), h("pre", { tabIndex: 0 }, text));
    }

    function Samples({ path, method }) {
      const all = Object.entries(samples(path, method));
      const [shown, show] = React.useState("curl");
      const tab = ([name]) => h("button", { key: name, type: "button", "aria-pressed": name === shown, onClick: () => show(name) }, name);
      return h(
        "div", { className: "samples" },
        h("div", { className: "opblock-section-header" }, h("h4", { className: "opblock-title" }, "Samples")),
        h("div", { className: "languages" }, all.map(tab)),
        h(Code, { text: Object.fromEntries(all)[shown] }),
      );
    }

    function ErrorSection() {
      const row = ([status, { common, texts, reasons }]) => h(
        "tr", { key: status }, h("th", { scope: "row" }, status === "default" ? "other" : status),
        h("td", null, common ?? [...texts.keys()].join(" ")),
        h("td", null, [...reasons].map((reason) => h("code", { key: reason }, reason))),
      );
      const body = { error: { code: 404, message: "Not Found", errors: [{ domain: "global", reason: "notFound", message: "Not Found" }] } };
      if (description.components.schemas.ErrorInfo?.properties.status) body.error.status = "NOT_FOUND";
      return h(
        "section", { id: "errors", className: "wrapper" }, h("h2", null, "Errors"),
        h("p", null, "Every operation can return these errors, whose bodies have the same form."),
        h("div", { className: "wide" }, h(
          "table", null,
          h("thead", null, h("tr", null, ["Status", "Meaning", "Reasons"].map((name) => h("th", { key: name, scope: "col" }, name)))),
          h("tbody", null, Object.entries(errors).map(row)),
        )),
        h(Code, { text: JSON.stringify(body, null, 2) }),
      );
    }

    function Reference({ getComponent }) {
      const part = (name) => h(getComponent(name, true));
      return h(
        "div", { className: "swagger-ui" }, h(getComponent("SvgAssets")), part("errors"), part("InfoContainer"),
        h("div", { className: "wrapper access" }, part("ServersContainer"), part("AuthorizeBtnContainer")),
        h("p", { className: "wrapper" }, h("a", { href: "#errors", onClick: jump }, "Errors of all operations")),
        h("div", { className: "wrapper" }, h("h2", { className: "sr" }, "Operations"), part("operations"), part("Models")),
        h(ErrorSection),
      );
    }

    // The address belongs to the operations, which are opened by it.
    function jump(event) {
      event.preventDefault();
      document.getElementById("errors").scrollIntoView();
    }

    return {
      components: {
        Reference,
        // A link within the button that unfolds an operation could not be reached.
        DeepLink: ({ text }) => h("span", null, text),
      },
      wrapComponents: {
        responses: (Original) => (props) => h("div", null, h(Samples, props), h(Original, props)),
      },
    };
  }

  const ui = SwaggerUIBundle({
    spec: description,
    domNode: place,
    plugins: [parts],
    layout: "Reference",
    deepLinking: true,
    displayRequestDuration: true,
    // Its colours have too little contrast.
    syntaxHighlight: false,
    // The schemas are folded: operations show those that they need.
    defaultModelsExpandDepth: 0,
    // Nothing is asked of a server that validates descriptions, and nothing is kept in the browser.
    validatorUrl: null,
    persistAuthorization: false,
    onComplete: () => {
      name(place);
      new MutationObserver(() => name(place)).observe(place, { childList: true, subtree: true });
      if (token !== null) ui.preauthorizeApiKey("bearer", token);
      place.dataset.ready = "yes";
    },
  });
})();
