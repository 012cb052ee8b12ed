import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NAMED_TYPES } from '../../src/domain/dns/records/types/record-types';

const ROOT = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const withoutCode = (markdown: string): string => markdown.replaceAll(/^ *```.*?^ *```$/gms, '');

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)) && !file.startsWith('test/fixtures/'));
const pages = files.filter((file) => file.endsWith('.md'));
const referrers = files.filter((file) => /\.(?:tsx?|[cm]js|ya?ml|md|cfg|service|example|sh)$/.test(file));

/** The anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(read(page)).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let number = 1; anchors.has(unique); number += 1) unique = `${anchor}-${number}`;
    anchors.add(unique);
  }
  return anchors;
}

function brokenLinks(page: string): string[] {
  return [...withoutCode(read(page)).matchAll(/\]\((?![a-z]+:)(?<path>[^)#\s]*)(?:#(?<anchor>[^)\s]+))?\)/g)].flatMap(
    ([, path = '', anchor]) => {
      const target = path === '' ? page : join(page, '..', path);
      const found = existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).has(anchor));
      return found ? [] : [`${path}#${anchor ?? ''}`];
    },
  );
}

describe('the documentation', () => {
  it.each(pages)('%s has no broken link or anchor', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('has every page that code, tests, settings and other pages name by its path', () => {
    const missing = referrers.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w./-])docs\/(?:[\w-]+\/)*[\w-]+\.md\b/g)].flatMap(([page]) =>
        existsSync(join(ROOT, page)) ? [] : [`${file}: ${page}`],
      ),
    );

    expect(missing).toEqual([]);
  });

  it('has decision records of at most 20 lines', () => {
    const records = pages.filter((page) => /^docs\/decisions\/\d{4}-/.test(page));

    expect(records.length).toBeGreaterThan(20);
    expect(records.filter((page) => read(page).split('\n').length - 1 > 20)).toEqual([]);
  });

  it('has every decision record that code and tests name by its number', () => {
    const records = new Set(pages.map((page) => /^docs\/decisions\/(\d{4})-/.exec(page)?.[1]));
    const missing = referrers.flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/decisions\/(\d{4})\b/g)].flatMap(([, number]) =>
        records.has(number) ? [] : [`${file}: ${number}`],
      ),
    );

    expect(missing).toEqual([]);
  });

  it.each(['.env.example', 'docs/openapi.yaml', 'docs/api/records.md'])('names every record type in %s', (file) => {
    const words = new Set(read(file).match(/\b[A-Z][A-Z0-9]*\b/g));

    expect(NAMED_TYPES.filter((type) => !words.has(type))).toEqual([]);
  });

  it.each([
    ['docs/operations.md', 'docs/operations/'],
    ['docs/api.md', 'docs/api/'],
  ])('%s links to every page of %s', (entry, folder) => {
    const linked = [...read(entry).matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => join('docs', path));

    expect(linked).toEqual(expect.arrayContaining(pages.filter((page) => page.startsWith(folder))));
  });
});
