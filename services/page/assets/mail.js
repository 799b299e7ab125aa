// Shows new records of a history while its page is open.
"use strict";

(() => {
  const list = document.getElementById("records");
  if (!list?.dataset.feed) return;
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
    const rows = [...new DOMParser().parseFromString(body.rows, "text/html").body.children];
    for (const row of rows) row.classList.add("fresh");
    list.prepend(...rows);
    while (list.children.length > KEPT) list.lastElementChild.remove();
    document.getElementById("nothing")?.remove();
  }

  async function poll() {
    clearTimeout(timer);
    if (polling) return;
    polling = true;
    try {
      const body = await records();
      show(body);
      wait = body.more ? 0 : document.hidden ? Math.min(Math.max(wait, SOON) * 2, LATE) : SOON;
      say("New records appear here automatically.", "live");
    } catch (error) {
      if (error.isFinal) {
        say(`New records are no longer shown: ${error.message}`, "ended");
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
