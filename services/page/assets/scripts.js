// Runs functions in place, and shows executions while they go on.
"use strict";

(() => {
  // The header shows the server that the request is not from a page of another origin, if the browser sends no origin.
  const settings = { credentials: "omit", cache: "no-store", headers: { "X-Wireform-Program": "page" } };

  function runner(form, outcome) {
    form.hidden = false;
    const printed = document.getElementById("console");

    /** Shows what an execution has written to the console, with a link to its page. */
    function print(execution, lines) {
      printed.replaceChildren();
      printed.hidden = !execution;
      if (!execution) return;
      const list = document.createElement("ol");
      for (const { severity, text } of lines) {
        const [item, label] = [document.createElement("li"), document.createElement("small")];
        item.dataset.severity = label.textContent = severity;
        const shown = document.createElement("span");
        shown.textContent = text;
        item.append(label, " ", shown);
        list.append(item);
      }
      const link = document.createElement("a");
      link.href = `/scripts/execution?user=${encodeURIComponent(form.dataset.user)}&number=${execution}`;
      link.textContent = `Execution ${execution}`;
      printed.append(list, link);
    }

    const show = (text, state) => {
      outcome.hidden = false;
      outcome.textContent = text;
      outcome.dataset.state = state;
    };

    /** Tells what an operation has come to: its result, or the exception with its stack. */
    function report(operation) {
      const error = operation.error?.details?.[0];
      if (!operation.error) return show(JSON.stringify(operation.response?.result, null, 2) ?? "No result.", "done");
      const stack = (error?.scriptStackTraceElements ?? []).map((at) => `\n    at ${at.function} (line ${at.lineNumber})`);
      show(`${error?.errorType ?? "Error"}: ${error?.errorMessage ?? operation.error.message}${stack.join("")}`, "failed");
    }

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const given = new FormData(form);
      const button = form.querySelector("button");
      let parameters = [];
      try {
        const text = given.get("parameters").trim();
        if (text) parameters = JSON.parse(text);
        if (!Array.isArray(parameters)) throw new Error("expected an array");
      } catch (error) {
        show(`The parameters cannot be parsed: ${error.message}`, "failed");
        return;
      }
      button.disabled = true;
      print(null);
      show("Running …", "running");
      try {
        const body = JSON.stringify({ user: form.dataset.user, id: form.dataset.id, function: given.get("function"), parameters });
        const response = await fetch("/scripts/run", { ...settings, method: "POST", body });
        const done = await response.json();
        if (response.ok) {
          report(done.operation);
          print(done.execution, done.log);
        } else show(done.error?.message ?? `The server returned ${response.status}.`, "failed");
      } catch (error) {
        show(`The server does not respond: ${error.message}`, "failed");
      } finally {
        button.disabled = false;
      }
    });
  }

  /** Replaces what was logged, where it has changed; executions that were folded stay so. */
  function relog(log, html) {
    if (!log || html === log.dataset.shown) return;
    const folded = new Set([...log.querySelectorAll("details:not([open])")].map((one) => one.dataset.key));
    const made = new DOMParser().parseFromString(html, "text/html");
    for (const one of made.querySelectorAll("details")) one.open = !folded.has(one.dataset.key);
    log.replaceChildren(...made.body.children);
    log.dataset.shown = html;
  }

  /** Shows the executions that run, each with a button that cancels it. */
  function showRunning(running, html) {
    if (!running) return;
    if (html !== undefined && html !== running.dataset.shown) {
      running.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.children);
      running.dataset.shown = html;
    }
    running.hidden = !running.children.length;
  }

  async function cancel(button) {
    button.disabled = true;
    let message = "";
    try {
      const body = JSON.stringify({ user: button.dataset.user, execution: Number(button.dataset.cancels) });
      const response = await fetch("/scripts/cancel", { ...settings, method: "POST", body });
      if (!response.ok) message = (await response.json()).error?.message ?? `The server returned ${response.status}.`;
    } catch (error) {
      message = `The server does not respond: ${error.message}`;
    }
    button.disabled = !message;
    button.textContent = message ? `Cancel (${message})` : "Cancelled";
  }

  /** Requests a feed again and again and shows what it returns, until `show` returns true. */
  function follow(feed, show) {
    const SOON = 1_500;
    const LATE = 60_000;
    let wait = SOON;

    async function poll() {
      try {
        const response = await fetch(feed, settings);
        if (!response.ok && response.status < 500) return;
        const body = await response.json();
        if (response.ok && show(body)) return;
        wait = response.ok && !document.hidden ? SOON : Math.min(wait * 2, LATE);
      } catch {
        wait = Math.min(wait * 2, LATE);
      }
      setTimeout(poll, wait);
    }
    poll();
  }

  /** Shows the latest executions with their log, and those that run. */
  function showExecutions(list, log, running, body) {
    if (body.rows !== list.dataset.shown) {
      // Rows are escaped where they are made, and the policy of the page lets no script in them run.
      const table = new DOMParser().parseFromString(`<table><tbody>${body.rows}</tbody></table>`, "text/html");
      list.replaceChildren(...table.querySelectorAll("tr"));
      list.dataset.shown = body.rows;
    }
    relog(log, body.log);
    showRunning(running, body.running);
  }

  /** Shows the status and the log of an execution. Returns whether it has ended. */
  function showExecution(element, { details, ended }) {
    if (details !== element.dataset.shown) {
      element.replaceChildren(...new DOMParser().parseFromString(details, "text/html").body.children);
      element.dataset.shown = details;
    }
    return ended;
  }

  const form = document.getElementById("runner");
  if (form) runner(form, document.getElementById("outcome"));
  const list = document.getElementById("executions");
  const running = document.getElementById("running");
  showRunning(running);
  running?.addEventListener("click", (event) => {
    if (event.target.dataset.cancels) cancel(event.target);
  });
  if (list?.dataset.feed) {
    follow(list.dataset.feed, (body) => showExecutions(list, document.getElementById("log"), running, body));
  }
  const execution = document.getElementById("execution");
  if (execution?.dataset.feed) follow(execution.dataset.feed, (body) => showExecution(execution, body));
})();
