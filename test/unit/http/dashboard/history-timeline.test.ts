import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ZoneVersion } from '../../../../src/application/ports/dns/zone-repository';
import { SERVICE } from '../../../../src/domain/access/actor';
import { HistoryTimeline } from '../../../../src/http/dashboard/zone/history/history-timeline';

function aVersion(version: number, { added = 0, changed = 0, removed = 0 }, day = version): ZoneVersion {
  const at = new Date(Date.UTC(2027, 2, day, 12));
  return { version, at, actor: SERVICE, added, changed, removed, nameserversBefore: undefined };
}

const render = (...oldestFirst: readonly ZoneVersion[]) =>
  renderToString(h(HistoryTimeline, { versions: oldestFirst.toReversed() }));
const barsOf = (page: string, kind: string) =>
  [
    ...(new RegExp(`<path class="${kind}" d="([^"]*)"`).exec(page)?.[1] ?? '').matchAll(
      /M([\d.]+) ([\d.]+)h[\d.]+v(-?[\d.]+)/g,
    ),
  ].map(([, x, y, size]) => ({ x: Number(x), y: Number(y), size: Number(size) }));

it('says in its text alternative what the drawing shows', () => {
  const page = render(aVersion(4, { added: 1_200 }), aVersion(5, { changed: 2, removed: 1 }));

  expect(page).toContain('role="img"');
  expect(page).toContain(
    'aria-label="Versions 4 to 5, from 4 Mar 2027 to 5 Mar 2027: records 1,200 added, 2 changed, 1 removed. The table below has each version."',
  );
  expect(page).toContain('1,200 added');
});

it('draws additions and changes above the axis and removals below it, the oldest version first', () => {
  const page = render(
    aVersion(1, { added: 4 }),
    aVersion(2, { added: 1, changed: 1 }),
    aVersion(3, { removed: 2 }),
    aVersion(4, {}),
  );

  const [added, changed, removed, none] = ['added', 'changed', 'removed', 'none'].map((kind) => barsOf(page, kind));
  expect(added?.map(({ x }) => x)).toEqual([23, 83]);
  expect(added?.every(({ size }) => size < 0)).toBe(true);
  expect(changed?.[0]?.y).toBe((added?.[1]?.y ?? 0) + (added?.[1]?.size ?? 0));
  expect(removed?.map(({ x, size }) => [x, size > 0])).toEqual([[143, true]]);
  expect(none?.map(({ x }) => x)).toEqual([203]);
});

it('leaves each change visible beside one of a whole zone, inside the drawing', () => {
  const page = render(aVersion(1, { added: 10_000 }), aVersion(2, { added: 1 }), aVersion(3, { removed: 10_000 }));

  const height = Number(/viewBox="0 0 \d+ ([\d.]+)"/.exec(page)?.[1]);
  for (const { y, size } of [...barsOf(page, 'added'), ...barsOf(page, 'removed')]) {
    expect(Math.abs(size)).toBeGreaterThanOrEqual(3);
    expect(Math.min(y, y + size)).toBeGreaterThanOrEqual(0);
    expect(Math.max(y, y + size)).toBeLessThanOrEqual(height);
  }
});

it('marks where days begin', () => {
  const page = render(aVersion(1, { added: 1 }, 1), aVersion(2, { added: 1 }, 1), aVersion(3, { added: 1 }, 2));

  expect(/class="days" d="([^"]*)"/.exec(page)?.[1]).toMatch(/^M160 0V[\d.]+$/);
});

it('is not drawn for fewer than two versions', () => {
  expect(render()).toBe('');
  expect(render(aVersion(1, { added: 1 }))).toBe('');
});

it('takes little of the weight of a page with its 50 versions', () => {
  const versions = Array.from({ length: 50 }, (_, index) =>
    aVersion(index + 1, { added: 123, changed: 45, removed: 67 }),
  );

  expect(Buffer.byteLength(render(...versions))).toBeLessThan(6 * 1_024);
});
