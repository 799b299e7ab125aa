// What the pages of mail and calendars have in common: they work without it, and are easier with it.
"use strict";

(() => {
  // Whoever is chosen has other calendars and labels: those of the form before are not sent along.
  for (const choice of document.querySelectorAll("select[data-submits]")) {
    choice.addEventListener("change", () => {
      for (const field of choice.form.querySelectorAll("[name=calendar], [name=label], [name=q]")) field.disabled = true;
      choice.form.requestSubmit();
    });
  }

  for (const button of document.querySelectorAll("button[data-copies]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = button.parentElement.querySelector("pre").textContent;
      const done = await navigator.clipboard.writeText(text).then(() => "Copied", () => "Not copied");
      button.textContent = done;
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }
})();
