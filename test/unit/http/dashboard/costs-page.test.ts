import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { COST_KINDS } from '../../../../src/domain/registration/cost-statement';
import { CostsPage } from '../../../../src/http/dashboard/costs/costs-page';
import { CostSums } from '../../../../src/infrastructure/persistence/registration/cost-sums';

/** The frame of each page takes the rest of the 60 KiB. */
const MOST_BYTES = 48 * 1_024;
const MONTHS = Array.from({ length: 24 }, (_, index) => new Date(Date.UTC(2026, index, 1)));
const CURRENCIES = ['USD', 'EUR', 'GBP', 'SEK', 'JPY'];

/** A group for each currency, month, kind and one of 40 TLDs, each with its own tags. */
function sumsOf(tagsOfEach: number) {
  const sums = new CostSums();
  let serial = 0;
  for (const currency of CURRENCIES)
    for (let month = 0; month < MONTHS.length; month += 1)
      for (let index = 0; index < 40; index += 1) {
        const tags = Array.from({ length: tagsOfEach }, (_, tag) => `tag-${(serial += 1)}-${tag}`.padEnd(40, 'x'));
        const kind = COST_KINDS[month < 12 ? 0 : 1 + (index % 2)] ?? 'charged';
        const tld = `a-long-tld-of-its-own-${index}`;
        sums.add([
          { kind, month, tld, tag_set: JSON.stringify(tags), currency, minor: 123_456_789, amount: 1, unasked: 0 },
        ]);
      }
  return sums.result(false);
}

const render = (groups: ReturnType<typeof sumsOf>) =>
  renderToString(h(CostsPage, { report: { ...groups, months: MONTHS } }));

it('keeps the page of costs under 60 KiB with five currencies and thousands of TLDs and tags', () => {
  const page = render(sumsOf(1));

  expect(page).toContain('Costs by tag');
  expect(page.match(/class="month-bars"/g)).toHaveLength(4);
  expect(page).toContain('The months of GBP, SEK, JPY are in the CSV.');
  expect(page).toContain('more are in the CSV');
  expect(Buffer.byteLength(page)).toBeLessThan(MOST_BYTES);
});

it('leaves the tags out, and says so, if there are too many different sets of them', () => {
  const groups = sumsOf(10);

  expect(groups.tagsAreCut).toBe(true);
  expect(groups.groups).toHaveLength(CURRENCIES.length * MONTHS.length * 40);
  const page = render(groups);
  expect(page).not.toContain('Costs by tag');
  expect(page).toContain('too many different sets of tags');
  expect(Buffer.byteLength(page)).toBeLessThan(MOST_BYTES);
});

it('says that the sums are not complete exactly if charges or renewals are left out', () => {
  const whole = sumsOf(1);

  expect(render({ ...whole, isCut: true })).toContain('These sums are not complete');
  expect(render(whole)).not.toContain('not complete');
});
