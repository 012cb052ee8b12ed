import type { Page } from 'playwright-core';

/** What is wider than the screen, its card or its cell, or too narrow to read. */
export function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const cells = Array.from(document.querySelectorAll('td'), (cell) =>
      cell.scrollWidth > cell.clientWidth ? cell.innerText : '',
    ).filter(Boolean);
    const spilling = Array.from(
      document.querySelectorAll('table'),
      ({ offsetWidth, parentElement }) => offsetWidth - (parentElement?.clientWidth ?? 0),
    ).filter((pixels) => pixels > 0);
    const squeezed = Array.from(document.querySelectorAll<HTMLElement>('td.main-cell, td.content-cell'), (cell) =>
      cell.clientWidth < 90 && cell.innerText.length > 12 ? cell.innerText : '',
    ).filter(Boolean);
    const broken = Array.from(
      document.querySelectorAll<HTMLElement>('th:not(:has(.visually-hidden, .explain)), .page-heading .button'),
      (label) => {
        const range = document.createRange();
        range.selectNodeContents(label);
        const lines = new Set(Array.from(range.getClientRects(), ({ top }) => top));
        return lines.size > label.innerText.trim().split(/[\s-]+/).length ? label.innerText : '';
      },
    ).filter(Boolean);
    return [
      ...(excess > 0 ? [` by ${excess} px`] : []),
      ...cells.map((text) => ` in the cell ${text}`),
      ...spilling.map((pixels) => `: a table exceeds its card by ${pixels} px`),
      ...squeezed.map((text) => ` in the squeezed cell ${text}`),
      ...broken.map((text) => ` in the broken label ${text}`),
    ];
  });
}

/** Cells that span their row but do not fill it. */
export function findNarrowCells(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement>('tbody tr'), (row) => {
      const { paddingLeft, paddingRight } = getComputedStyle(row);
      const room = row.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return Array.from(row.querySelectorAll<HTMLElement>(':scope > td'), (cell) =>
        getComputedStyle(cell).gridColumnEnd === '-1' && room - cell.getBoundingClientRect().width > 1
          ? cell.innerText.slice(0, 60)
          : '',
      );
    })
      .flat()
      .filter(Boolean),
  );
}

/** Bytes of the page and of what it loads, compressed. Without fonts, which the first page loads for a year. */
export function weigh(page: Page): Promise<number> {
  return page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => !name.includes('.woff2'))
      .reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0),
  );
}

/** Names of settings in the text of the page: its readers cannot set them. */
export function findSettings(page: Page, settings: readonly string[]): Promise<string[]> {
  return page.evaluate((names) => {
    const words = new Set(document.body.innerText.split(/[^A-Z_]+/));
    return names.filter((name) => words.has(name));
  }, settings);
}
