import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const EXAMPLE = /<!-- the whole of (?<path>\S+) -->\n```ts\n(?<code>.*?)```/gs;

const examples = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) =>
    [...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(EXAMPLE)].map(({ groups }) => ({
      page,
      path: groups?.['path'] ?? '',
      code: groups?.['code'],
    })),
  );

describe('the examples in the documentation', () => {
  it('include a use case in isolation', () => {
    expect(examples.map(({ page, path }) => [page, path])).toContainEqual([
      'architecture.md',
      'test/unit/application/example.test.ts',
    ]);
  });

  it.each(examples)('show $path as it is run', ({ path, code }) => {
    expect(code).toBe(readFileSync(join(ROOT, path), 'utf8'));
  });
});
