// Progressive enhancement: every page also works without scripts.
'use strict';

function revealCopyButtons(root) {
  for (const button of root.querySelectorAll('[data-copy][hidden]')) button.hidden = false;
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(source);
    button.textContent = 'Press Ctrl+C to copy';
  }
}

/** Shows only the fields of the selected record type. Without scripts, all fields are visible. */
function toggleFields(select) {
  for (const field of select.form.querySelectorAll('[data-types]')) {
    const used = field.dataset.types.split(' ').includes(select.value);
    field.hidden = !used;
    for (const input of field.querySelectorAll('input, select, textarea')) input.disabled = !used;
  }
}

/** Copies the text of the selected file into a form field, so that the user can check it before sending. */
async function fillFromFile(input) {
  const [file] = input.files;
  if (file) input.form.elements[input.dataset.fillTarget].value = await file.text();
}

/** Shows the full name of a record below its name field. */
function showFullName(input) {
  const output = input.closest('.field')?.querySelector('[data-full-name]');
  if (!output) return;
  const zone = output.dataset.fullName;
  const name = input.value.trim().toLowerCase();
  const isFull = name === zone || name.endsWith(`.${zone}`) || name.endsWith('.');
  const full = name === '@' ? zone : isFull ? name.replace(/\.$/, '') : `${name}.${zone}`;
  output.textContent = name === '' ? '' : `→ ${full}`;
}

/** Asks the server what would be unusual about the record of a form; only the latest answer counts. */
const checks = new WeakMap();
function checkRecord(form) {
  const output = form.querySelector('[data-check]');
  if (!output) return;
  clearTimeout(checks.get(form)?.timer);
  const check = { timer: setTimeout(() => void askForWarnings(form, output, check), 700) };
  checks.set(form, check);
}

async function askForWarnings(form, output, check) {
  try {
    const response = await fetch(output.dataset.check, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
    });
    if (!response.ok || checks.get(form) !== check) return;
    const { warnings } = await response.json();
    output.replaceChildren(
      ...warnings.map((warning) => {
        const line = document.createElement('p');
        line.textContent = warning;
        return line;
      }),
    );
  } catch {
    // The form works without warnings.
  }
}

function enhance(root) {
  for (const element of root.querySelectorAll('[data-scripted][hidden]')) element.hidden = false;
  revealCopyButtons(root);
  countSelected();
  for (const select of root.querySelectorAll('select[data-toggles-fields]')) toggleFields(select);
}

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-open-palette]') && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    void openPalette();
  }
  const button = event.target.closest('[data-copy]');
  if (button) void copy(button);
  const all = event.target.closest('[data-check-all]');
  if (all)
    for (const box of document.querySelectorAll(`input[name="${all.dataset.checkAll}"]`)) box.checked = all.checked;
  if (all) countSelected();
});

/** Shows how many check boxes of a name are checked. */
function countSelected() {
  for (const output of document.querySelectorAll('[data-count-of]')) {
    const count = document.querySelectorAll(`input[name="${output.dataset.countOf}"]:checked`).length;
    output.textContent = count === 0 ? '' : `${count} selected`;
  }
}

/** A dropdown closes when another part of the page is used. */
document.addEventListener('click', ({ target }) => {
  for (const open of document.querySelectorAll('details.dropdown[open]')) if (!open.contains(target)) open.open = false;
});

/** Whether a form of this page has entries that would be lost with it. */
let hasEntries = false;

document.addEventListener('input', ({ target }) => {
  if (target.form?.method === 'post') hasEntries = true;
  if (target.name === 'name') showFullName(target);
  if (target.form) checkRecord(target.form);
});

document.addEventListener('change', (event) => {
  if (event.target.matches('[data-fill-target]')) void fillFromFile(event.target);
  if (event.target.matches('select[data-toggles-fields]')) toggleFields(event.target);
  if (event.target.matches('[type=checkbox]')) countSelected();
  if (event.target.matches('[data-submit]')) event.target.form.requestSubmit();
});

// Only one confirmation is open at a time; Escape closes it.
document.addEventListener(
  'toggle',
  (event) => {
    if (!event.target.matches('details.confirm') || !event.target.open) return;
    for (const other of document.querySelectorAll('details.confirm[open]'))
      if (other !== event.target) other.open = false;
  },
  true,
);
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const open of document.querySelectorAll('details:is(.confirm, .dropdown)[open]')) {
    open.open = false;
    open.querySelector('summary').focus();
  }
});

// A double click must not submit a form twice.
document.addEventListener('submit', (event) => {
  if (event.target.method !== 'post' || event.defaultPrevented) return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = 'yes';
});
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  follow();
});

// Fragments are selected from whole pages, whose title must not replace the current one.
document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
  ctx.title = null;
});

document.addEventListener('htmx:after:swap', () => {
  enhance(document);
  follow();
});

/** Handles a failed htmx request: a filter keeps its list and warns, a link loads the whole page. */
function handleFailedRequest({ target, detail: { ctx } }) {
  if (ctx?.response?.status === 401) {
    // HX-Redirect leads to sign-in. Not from a form that is being filled in: sent without a session, its entries are saved.
    if (hasEntries && !target.matches('a, form')) delete ctx.hx.redirect;
    return;
  }
  if (target.matches('form'))
    document.getElementById('list-status').textContent = 'The list could not be updated. Try again in a moment.';
  if (target.matches('a')) location.assign(target.href);
}
document.addEventListener('htmx:response:error', handleFailedRequest);
document.addEventListener('htmx:error', handleFailedRequest);

/** The event stream of what the page follows: one at most, and none while the page is hidden, because browsers have few connections. */
let stream;
/** Without a stream, such as behind a proxy that buffers it, the page asks now and then. */
const ASK_EVERY_MS = 15_000;

function refreshProgress() {
  const followed = document.querySelector('[data-live]');
  if (followed && !document.hidden) htmx.trigger(followed, 'news');
}

function stopFollowing() {
  stream?.source.close();
  clearInterval(stream?.asking);
  stream = undefined;
}

function follow() {
  const of = document.hidden ? undefined : document.querySelector('[data-live]')?.dataset.live;
  if (stream?.of === of) return;
  stopFollowing();
  if (of === undefined) return;
  const source = new EventSource(`/live?of=${encodeURIComponent(of)}`);
  const opened = { of, source, isReady: false };
  opened.asking = setInterval(() => {
    if (opened.isReady) return;
    refreshProgress();
    // Refused, because too many are open or the process stops: try again.
    if (source.readyState === EventSource.CLOSED && !opened.isEnded) {
      stopFollowing();
      follow();
    }
  }, ASK_EVERY_MS);
  stream = opened;
  // Also after a new connection: what happened in between was not told.
  source.addEventListener('ready', () => {
    opened.isReady = true;
    refreshProgress();
  });
  source.addEventListener('news', refreshProgress);
  source.addEventListener('error', () => {
    opened.isReady = false;
  });
  source.addEventListener('end', () => {
    opened.isReady = false;
    opened.isEnded = true;
    source.close();
    refreshProgress();
  });
}
document.addEventListener('visibilitychange', follow);
addEventListener('pagehide', stopFollowing);

/** The command palette is a module that is loaded when it is first opened. */
async function openPalette(options) {
  const { palette } = document.body.dataset;
  if (palette) (await import(palette)).open(options);
}

function isTyping({ target }) {
  return (
    target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog') !== null
  );
}

/** Focuses the row `step` rows further. */
function moveToRow(step) {
  const rows = [...document.querySelectorAll('main tbody > tr')];
  if (rows.length === 0) return;
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[Math.min(Math.max(current + step, 0), rows.length - 1)];
  next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

/** Opens the form that adds what the page lists; other pages lead to the registration. */
function create() {
  const form = document.querySelector('details[data-create]');
  if (!form) return location.assign('/register');
  form.open = true;
  form.querySelector('select, input:not([type=hidden])')?.focus();
}

const SHORTCUTS = {
  '/': () => {
    const search = document.querySelector('main #q');
    if (search) search.focus();
    else void openPalette();
  },
  c: create,
  j: () => moveToRow(1),
  k: () => moveToRow(-1),
  e: () => document.activeElement?.closest('tr')?.querySelector('a:not(.content-cell *, .changed-cell *)')?.click(),
  x: () => document.activeElement?.closest('tr')?.querySelector('input[type=checkbox]')?.click(),
  '?': () => void openPalette({ help: true }),
};

// WCAG 2.1.4: single keys can be switched off, in the palette. Screen readers keep theirs, because they handle them first.
document.addEventListener('keydown', (event) => {
  if (!document.body.dataset.palette || event.altKey || event.isComposing) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k' && !event.shiftKey) {
    event.preventDefault();
    void openPalette();
    return;
  }
  const shortcut = Object.hasOwn(SHORTCUTS, event.key) ? SHORTCUTS[event.key] : undefined;
  if (!shortcut || event.ctrlKey || event.metaKey || isTyping(event)) return;
  if (localStorage.getItem('shortcuts-off') === 'yes') return;
  event.preventDefault();
  shortcut();
});

/** After a change, the focus goes to what is wrong or to the notice. A field that the page focuses keeps it. */
function focusOutcome() {
  const invalid = document.querySelector('main [aria-invalid]:not([hidden])');
  const notice = document.querySelector('main [data-notice]');
  // The browser focuses it after this script.
  const chosen = document.querySelector('main [autofocus]');
  if (invalid) invalid.focus();
  else if (notice && !chosen && (document.activeElement === document.body || document.activeElement === null))
    notice.focus();
}

/** Opens the form that the URL names, such as `#new`. */
function openNamedForm() {
  if (location.hash !== '#new' || !document.querySelector('details[data-create]')) return;
  // So that the palette can open it again.
  history.replaceState(history.state, '', location.pathname + location.search);
  create();
}
addEventListener('hashchange', openNamedForm);

/** Scrolls the current tab into view on narrow screens. */
function showCurrentTab() {
  const tab = document.querySelector('.tabs [aria-current]');
  if (tab) tab.closest('ul').scrollLeft = tab.offsetLeft - innerWidth / 3;
}

showCurrentTab();
enhance(document);
focusOutcome();
openNamedForm();
follow();
