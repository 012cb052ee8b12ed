import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

const ownTimeout =
  /^\s*jest\.setTimeout\(|^\s*\}, \d[\d_]{3,}\);$|^\s*(?:before|after)(?:All|Each)\(.*, \d[\d_]{3,}\);$/m;

it('sets no timeout in a test file: package.json sets 60 seconds for all tests, and CI raises them', () => {
  const { jest } = JSON.parse(readFileSync(join(TESTS, '../package.json'), 'utf8')) as { jest: object };
  expect(jest).toMatchObject({ testTimeout: 60_000 });
  expect(files.length).toBeGreaterThan(250);
  expect(files.filter((file) => ownTimeout.test(readFileSync(join(TESTS, file), 'utf8')))).toEqual([]);
});
