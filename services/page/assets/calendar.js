// Moves the line of the present time, and lets arrow keys go from event to event.
"use strict";

(() => {
  const line = document.querySelector(".now");
  if (line) {
    const minute = Number(line.dataset.minute);
    const minutes = Number(line.dataset.minutes);
    // The clock of the services counts, which may not be that of this machine: only what has passed since is measured.
    const move = () => {
      const now = minute + performance.now() / 60_000;
      line.style.setProperty("--top", String(now * 100 / minutes));
      line.hidden = now < 0 || now > minutes;
    };
    setInterval(move, 30_000);
  }

  // Up and down go to the event before and after in the same day or week of a month, left and right to its neighbour.
  const places = ".week .long, .week .day, .month .row";
  const linksIn = (place) => [...place.querySelectorAll(".event a")].filter((link) => link.offsetParent !== null);
  const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  document.getElementById("events")?.addEventListener("keydown", (pressed) => {
    const step = steps[pressed.key];
    const link = pressed.target.closest(".event a");
    if (!step || !link || pressed.ctrlKey || pressed.altKey || pressed.metaKey || pressed.shiftKey) return;
    const all = [...document.querySelectorAll(places)].map(linksIn).filter((links) => links.length > 0);
    const place = all.findIndex((links) => links.includes(link));
    const next = step[0] === 0 ? all[place][all[place].indexOf(link) + step[1]] : all[place + step[0]]?.[0];
    if (!next) return;
    pressed.preventDefault();
    next.focus();
  });
})();
