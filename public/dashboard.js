// What pages gain where scripts run; all of it works without.
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
    button.textContent = 'Selected: press Ctrl+C';
  }
}

/** Shows the fields that the chosen record type has; without scripts all are there. */
function fitFields(select) {
  for (const field of select.form.querySelectorAll('[data-types]')) {
    const used = field.dataset.types.split(' ').includes(select.value);
    field.hidden = !used;
    for (const input of field.querySelectorAll('input, select, textarea')) input.disabled = !used;
  }
}

/** Puts the text of a chosen file into a field, so that it can be looked at before it is sent. */
async function fillFrom(input) {
  const [file] = input.files;
  if (file) input.form.elements[input.dataset.fills].value = await file.text();
}

function prepare(root) {
  for (const part of root.querySelectorAll('[data-scripted][hidden]')) part.hidden = false;
  revealCopyButtons(root);
  for (const select of root.querySelectorAll('select[data-fits]')) fitFields(select);
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (button) void copy(button);
  const all = event.target.closest('[data-check-all]');
  if (all) for (const box of document.querySelectorAll(`input[name="${all.dataset.checkAll}"]`)) box.checked = all.checked;
});

document.addEventListener('change', (event) => {
  if (event.target.matches('[data-fills]')) void fillFrom(event.target);
  if (event.target.matches('select[data-fits]')) fitFields(event.target);
  if (event.target.matches('[data-submit]')) event.target.form.requestSubmit();
});

// One question at a time; Escape closes it.
document.addEventListener('toggle', (event) => {
  if (!event.target.matches('details.confirm') || !event.target.open) return;
  for (const other of document.querySelectorAll('details.confirm[open]')) if (other !== event.target) other.open = false;
}, true);
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const open of document.querySelectorAll('details.confirm[open]')) {
    open.open = false;
    open.querySelector('summary').focus();
  }
});

// A form is sent once.
document.addEventListener('submit', (event) => {
  if (event.target.method !== 'post' || event.defaultPrevented) return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = 'yes';
});
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

// Parts are cut out of whole pages; the title stays that of the page that they come to.
document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
  ctx.title = null;
});

document.addEventListener('htmx:after:swap', () => prepare(document));

/** What was asked for in part has failed. The page stays as it is: a list says that it is old, a link leads to the whole page. */
function partFailed({ target, detail: { ctx } }) {
  if (ctx?.response?.status === 401) return; // and on the way to sign-in
  if (target.matches('form')) document.getElementById('list-status').textContent = 'The list could not be brought up to date. Try again in a moment.';
  if (target.matches('a')) location.assign(target.href);
}
document.addEventListener('htmx:response:error', partFailed);
document.addEventListener('htmx:error', partFailed);

/** Where the tabs do not all fit, the one that is open is in sight. */
function showOpenTab() {
  const tab = document.querySelector('.tabs [aria-current]');
  if (tab) tab.closest('ul').scrollLeft = tab.offsetLeft - innerWidth / 3;
}

showOpenTab();
prepare(document);
