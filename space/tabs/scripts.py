"""What the page does in the browser alone: copying, a key, the focus."""

COPY = """
element.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]');
  if (!button || button.dataset.label) return;
  const here = new URL('.', location.href).href;
  button.dataset.label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy.replaceAll('{here}', here));
    button.textContent = 'Copied';
  } catch (error) {
    button.textContent = 'The browser does not allow it';
  }
  setTimeout(() => { button.textContent = button.dataset.label; delete button.dataset.label; }, 1500);
});
"""
"""A button with data-copy puts that text into the clipboard, the page's own address for {here}."""

NEXT_KEY = """
const id = '%s';
window.nextKeys = window.nextKeys || new Set();
if (!window.nextKeys.has(id)) {
  window.nextKeys.add(id);
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'n' || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, textarea, select, [contenteditable], [role=listbox]')) return;
    const button = document.getElementById(id);
    if (!button || !button.checkVisibility() || button.disabled) return;
    event.preventDefault();
    button.click();
  });
}
"""
"""The key N presses a button that can be seen, but for who is typing; once however often it is mounted."""

FOCUS_HEADING = """() => {
  setTimeout(() => {
    const heading = [...document.querySelectorAll('.ctb h2')].find((each) => each.checkVisibility());
    if (heading) { heading.tabIndex = -1; heading.focus(); }
  }, 120);
}"""
"""The heading of what is shown has the focus, once the page has it."""
