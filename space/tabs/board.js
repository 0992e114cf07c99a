// What the board does in the browser. `element` holds it and stays, while its content is made anew with
// every setting; `trigger` tells the page. Ticks outlive the content, and so does the focus on a header.
const MOST = 6;
const ticked = new Set();
let sorted = "", scrolledTo = "";

element.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-run], a[data-order]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.dataset.run) {
    trigger("select", {task: "", run: link.dataset.run});
  } else {
    sorted = link.dataset.column;
    trigger("apply", {order: link.dataset.order});
  }
});

element.addEventListener("change", (event) => {
  const run = event.target.dataset.tick;
  if (!run) return;
  event.target.checked ? ticked.add(run) : ticked.delete(run);
  show();
});

function compareAddress() {
  const address = new URLSearchParams({tab: "compare"});
  for (const run of ticked) address.append("with", run);
  const theme = new URLSearchParams(location.search).get("__theme");
  if (theme) address.set("__theme", theme);
  return "?" + address;
}

function show() {
  for (const box of element.querySelectorAll("input[data-tick]")) {
    box.checked = ticked.has(box.dataset.tick);
    box.disabled = !box.checked && ticked.size >= MOST;
  }
  const place = element.querySelector(".compare");
  if (place) {
    const [hint, link] = place.children;
    link.hidden = ticked.size < 2;
    hint.hidden = !link.hidden;
    link.href = compareAddress();
    const words = `Compare ${ticked.size} runs`;
    if (link.textContent !== words) link.textContent = words;
  }
  const header = sorted && element.querySelector(`a[data-column="${sorted}"]`);
  if (header && document.activeElement === document.body) header.focus({preventScroll: true});
  const row = element.querySelector("tr.marked");
  const run = row ? row.querySelector("[data-run]").dataset.run : "";
  // While another tab is open there is nothing to scroll to.
  if (row && !row.checkVisibility()) return;
  if (run && run !== scrolledTo) row.scrollIntoView({block: "center"});
  scrolledTo = run;
}

new MutationObserver(show).observe(element, {childList: true, subtree: true});
new ResizeObserver(show).observe(element);
show();
