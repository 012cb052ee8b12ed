import type { Page } from 'playwright-core';

export interface ListLayout {
  /** Where the first row begins, in pixels from the top of the page. */
  readonly firstRow: number;
  readonly rowHeights: readonly number[];
  /** Texts of cells and headings that end beside their list. */
  readonly outside: readonly string[];
  /** Pairs of controls that cover each other. */
  readonly overlaps: readonly string[];
  /** Of the page's text, in pixels. */
  readonly fontSize: number;
}

/** Measures the list of the page as it is shown. */
export function measureList(page: Page): Promise<ListLayout> {
  return page.evaluate(() => {
    const rows = Array.from(document.querySelectorAll('main tbody tr'), (row) => row.getBoundingClientRect());
    const list = document.querySelector('main .card.flush')?.getBoundingClientRect();
    const cells = Array.from(document.querySelectorAll<HTMLElement>('main :is(th, td)')).filter(
      (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1,
    );
    const controls = Array.from(
      document.querySelectorAll<HTMLElement>(
        'main :is(a, button, input:not([type=hidden]), select, summary), .sidebar :is(a, button)',
      ),
    ).filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 1);
    const overlaps = controls.flatMap((one, index) =>
      controls.slice(index + 1).flatMap((other) => {
        if (one.contains(other) || other.contains(one)) return [];
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const isApart =
          a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        return isApart ? [] : [`${one.outerHTML.slice(0, 80)} and ${other.outerHTML.slice(0, 80)}`];
      }),
    );
    return {
      firstRow: (rows[0]?.top ?? 0) + scrollY,
      rowHeights: rows.map(({ height }) => height),
      outside: cells
        .filter((cell) => list && cell.getBoundingClientRect().right > list.right + 1)
        .map((cell) => cell.innerText),
      overlaps,
      fontSize: parseFloat(getComputedStyle(document.body).fontSize),
    };
  });
}
