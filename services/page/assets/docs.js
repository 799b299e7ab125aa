// Shows the description of an API and fills in the ready token, where this server hands one out.
"use strict";

(async () => {
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
  const ui = SwaggerUIBundle({
    spec: description,
    domNode: place,
    deepLinking: true,
    displayRequestDuration: true,
    // The schemas are folded: operations show those that they need.
    defaultModelsExpandDepth: 0,
    // Nothing is asked of a server that validates descriptions, and nothing is kept in the browser.
    validatorUrl: null,
    persistAuthorization: false,
    onComplete: () => {
      if (token !== null) ui.preauthorizeApiKey("bearer", token);
      place.dataset.ready = "yes";
    },
  });
})();
