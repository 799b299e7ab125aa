// Shows new records of a history, and new messages of a list, while their pages are open.
"use strict";

(() => {
  const list = document.querySelector("ol[data-feed]");
  if (!list) return;
  // A history only grows; a list of messages is replaced as a whole when something has changed.
  const isWhole = "whole" in list.dataset;
  const what = isWhole ? "messages" : "records";
  const said = document.getElementById("said");

  /** How long to wait before asking again, in milliseconds: while somebody looks, and at the most otherwise. */
  const SOON = 1_500;
  const LATE = 60_000;
  /** So many records stay on the page. */
  const KEPT = 500;

  let next = list.dataset.next;
  let wait = SOON;
  let timer = 0;
  let polling = false;

  const say = (text, state) => {
    if (said.textContent !== text) said.textContent = text;
    said.dataset.state = state;
  };

  // The header shows the server that the request is not from a page of another origin, if the browser sends no origin.
  async function records() {
    const settings = { credentials: "omit", cache: "no-store", headers: { "X-Wireform-Program": "page" } };
    const response = await fetch(`${list.dataset.feed}&start=${encodeURIComponent(next)}`, settings);
    const body = await response.json();
    if (response.ok) return body;
    const error = new Error(body.error?.message ?? `the server returned ${response.status}`);
    error.isFinal = response.status < 500;
    throw error;
  }

  function show(body) {
    next = body.next;
    if (body.count === 0) return;
    // Rows are escaped where they are made, and the policy of the page lets no script in them run.
    const parse = (html) => [...new DOMParser().parseFromString(html, "text/html").body.children];
    const rows = parse(body.rows);
    const known = new Set([...list.children].map((row) => row.dataset.id));
    for (const row of rows) row.classList.toggle("fresh", !isWhole || !known.has(row.dataset.id));
    const nothing = document.getElementById("nothing");
    if (isWhole) {
      const focused = list.contains(document.activeElement) && document.activeElement.closest("li").dataset.id;
      list.replaceChildren(...rows);
      rows.find((row) => row.dataset.id === focused)?.querySelector("a").focus();
      document.getElementById("labels").replaceChildren(...parse(body.labels));
    } else {
      list.prepend(...rows);
      while (list.children.length > KEPT) list.lastElementChild.remove();
    }
    if (nothing) nothing.hidden = list.children.length > 0;
  }

  async function poll() {
    clearTimeout(timer);
    if (polling) return;
    polling = true;
    try {
      const body = await records();
      show(body);
      wait = body.more ? 0 : document.hidden ? Math.min(Math.max(wait, SOON) * 2, LATE) : SOON;
      say(`New ${what} appear here automatically.`, "live");
    } catch (error) {
      if (error.isFinal) {
        say(`New ${what} are no longer shown: ${error.message}`, "ended");
        return;
      }
      wait = Math.min(Math.max(wait, SOON) * 2, LATE);
      say("The server does not respond; retrying.", "waiting");
    } finally {
      polling = false;
    }
    timer = setTimeout(poll, wait);
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && said.dataset.state !== "ended") poll();
  });
  poll();
})();
