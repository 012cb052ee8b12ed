// The command palette: a dialog with a combobox (ARIA Authoring Practices). Loaded when it is first opened.
const SHORTCUTS_OFF = 'shortcuts-off';
const KEYS = [
  ['Ctrl K or ⌘ K', 'Open this palette'],
  ['/', 'Search'],
  ['c', 'Add a record, or register a domain'],
  ['j, k', 'Next and previous row'],
  ['e', 'Edit the row, or open it'],
  ['x', 'Select the row'],
  ['?', 'Show these keys'],
];

let dialog;
let input;
let list;
let status;
let selected = -1;
/** Of the latest search; a newer one aborts it. */
let searching;
let timer;
/** While more is typed. */
const WAIT_MS = 150;

function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

function build() {
  input = element('input', {
    type: 'text',
    role: 'combobox',
    'aria-label': 'Search everything',
    'aria-expanded': 'false',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Domains, records, tags, people, keys, pages',
  });
  list = element('ul', { id: 'palette-list', role: 'listbox', 'aria-label': 'Results' });
  status = element('p', { class: 'small palette-status', role: 'status' });
  const close = element('button', { type: 'button', class: 'quiet' }, 'Close');
  close.addEventListener('click', () => dialog.close());
  const head = element('div', { class: 'palette-head' }, input, close);
  dialog = element('dialog', { class: 'palette', 'aria-label': 'Command palette' }, head, list, status, buildHelp());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), WAIT_MS);
  });
  input.addEventListener('keydown', onKey);
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role=option]');
    if (option) goTo(option.dataset.url);
  });
  document.body.append(dialog);
}

function buildHelp() {
  const box = element('input', { type: 'checkbox' });
  box.checked = localStorage.getItem(SHORTCUTS_OFF) !== 'yes';
  box.addEventListener('change', () => localStorage.setItem(SHORTCUTS_OFF, box.checked ? 'no' : 'yes'));
  const rows = KEYS.flatMap(([keys, effect]) => [
    element('dt', {}, element('kbd', {}, keys)),
    element('dd', {}, effect),
  ]);
  return element(
    'details',
    { class: 'palette-help' },
    element('summary', {}, 'Keyboard shortcuts'),
    element('dl', {}, ...rows),
    element('label', { class: 'check' }, box, element('span', {}, 'Use shortcuts of a single key')),
  );
}

/** Closes the dialog, because a link to a part of the present page does not leave it. */
function goTo(url) {
  dialog.close();
  location.assign(url);
}

function onKey(event) {
  const options = list.children;
  if (event.key === 'Enter' && options[selected]) goTo(options[selected].dataset.url);
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  if (options.length > 0) select((selected + (event.key === 'ArrowDown' ? 1 : options.length - 1)) % options.length);
}

function select(index) {
  list.children[selected]?.setAttribute('aria-selected', 'false');
  selected = index;
  const option = list.children[index];
  if (!option) {
    input.removeAttribute('aria-activedescendant');
    return;
  }
  option.setAttribute('aria-selected', 'true');
  input.setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

async function search() {
  searching?.abort();
  const { signal } = (searching = new AbortController());
  const text = input.value.trim();
  try {
    const response = await fetch(`/palette?${new URLSearchParams({ q: text })}`, { signal });
    if (response.status === 401) {
      const next = encodeURIComponent(location.pathname + location.search);
      show([{ label: 'Sign in again', kind: 'Page', url: `/sign-in?next=${next}` }], 'Your session has ended.');
      return;
    }
    if (!response.ok) throw new Error(String(response.status));
    const { items, isComplete = true } = await response.json();
    show(items, describe(items.length, text, isComplete));
  } catch {
    if (!signal.aborted) show([], 'The search failed. Try again in a moment.');
  }
}

function describe(count, text, isComplete) {
  const found = count === 0 ? `Nothing matches “${text}”.` : count === 1 ? '1 result' : `${count} results`;
  return isComplete ? found : `${found} The records of some domains were not searched: add the name of the domain.`;
}

function show(items, text) {
  list.replaceChildren(
    ...items.map(({ label, kind, url }, index) => {
      const option = element('li', { id: `palette-${index}`, role: 'option', 'aria-selected': 'false' });
      option.dataset.url = url;
      option.append(element('span', {}, label), element('span', { class: 'small' }, kind));
      return option;
    }),
  );
  selected = -1;
  select(items.length > 0 ? 0 : -1);
  input.setAttribute('aria-expanded', String(items.length > 0));
  status.textContent = text;
  list.hidden = items.length === 0;
}

/** Opens the palette, with the list of keys if `help`. */
export function open({ help = false } = {}) {
  if (!dialog) build();
  dialog.querySelector('details').open = help;
  if (dialog.open) return;
  input.value = '';
  dialog.showModal();
  input.focus();
  void search();
}
