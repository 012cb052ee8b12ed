// Progressive enhancement of the API reference: the filter of operations, and one language for all samples.
'use strict';

function filterOperations(input) {
  const words = input.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const operation of document.querySelectorAll('[data-operation]')) {
    const text = operation.textContent.toLowerCase();
    operation.hidden = !words.every((word) => text.includes(word));
    if (!operation.hidden) count += 1;
  }
  for (const group of document.querySelectorAll('[data-operations]'))
    group.hidden = group.querySelector('[data-operation]:not([hidden])') === null;
  document.querySelector('[data-filter-status]').textContent = `${count} ${count === 1 ? 'operation' : 'operations'}`;
}

function chooseLanguage(language) {
  for (const radio of document.querySelectorAll('[data-language]')) radio.checked = radio.value === language;
}

const filter = document.querySelector('[data-filter]');
filter?.addEventListener('input', () => filterOperations(filter));
// Browsers keep the text when a page is reloaded.
if (filter?.value) filterOperations(filter);

const LANGUAGE = 'sample-language';
document.addEventListener('change', ({ target }) => {
  if (!target.matches('[data-language]')) return;
  chooseLanguage(target.value);
  localStorage.setItem(LANGUAGE, target.value);
});
const language = localStorage.getItem(LANGUAGE);
if (['curl', 'JavaScript', 'Python'].includes(language)) chooseLanguage(language);
