import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const SOURCE = resolve(__dirname, '../../src');
const EXPORT = /^export (?:async |abstract |declare )*(?:class|interface|type|const|let|function\*?|enum) (\w+)/gm;
const INNER = /^(?:domain|application)\//;

const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

function exportsOf(file: string): string[] {
  return [...readFileSync(join(SOURCE, file), 'utf8').matchAll(EXPORT)].flatMap(([, name]) => name ?? []);
}

/** The files of `files` that share one of their names with another, if one of them is in domain or application. */
function sharedNames(files: readonly string[], namesOf: (file: string) => readonly string[]): string[] {
  const holders = new Map<string, Set<string>>();
  for (const file of files)
    for (const name of namesOf(file)) holders.set(name, (holders.get(name) ?? new Set()).add(file));
  return [...holders]
    .filter(([, sharing]) => sharing.size > 1 && [...sharing].some((file) => INNER.test(file)))
    .map(([name, sharing]) => `${name}: ${[...sharing].join(', ')}`);
}

it('finds a name that two files share', () => {
  expect(
    sharedNames(['domain/a.ts', 'http/b.ts', 'http/c.ts'], (file) => [file === 'http/c.ts' ? 'Cache' : 'Zone']),
  ).toEqual(['Zone: domain/a.ts, http/b.ts']);
});

it('no other file exports a name that domain or application exports', () => {
  expect(FILES.flatMap(exportsOf).length).toBeGreaterThan(FILES.length);
  expect(sharedNames(FILES, exportsOf)).toEqual([]);
});

it('no two files of domain and application have the same name', () => {
  const inner = FILES.filter((file) => INNER.test(file));

  expect(sharedNames(inner, (file) => [basename(file)])).toEqual([]);
});
