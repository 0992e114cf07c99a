// Keeps the address bar and what is shown the same. `query` is a query string without "?".
(query) => {
  const address = new URL(window.location);
  const theme = address.searchParams.get("__theme");
  const wanted = new URLSearchParams(query);
  if (theme) wanted.set("__theme", theme);
  const search = wanted.toString();
  if (search === address.searchParams.toString()) return [];
  // Another run or task is another page: "back" leads to where one came from. A filter only refines it.
  const isOtherPage = ["run", "task"].some((name) => wanted.get(name) !== address.searchParams.get(name));
  history[isOtherPage ? "pushState" : "replaceState"](null, "", search ? "?" + search : address.pathname);
  window.shownSearch = location.search;
  // A Space shows the page inside of a frame; only its parent can change what the address bar says.
  if (window.parent !== window) {
    window.parent.postMessage({ queryString: query }, "https://huggingface.co");
  }
  return [];
}
