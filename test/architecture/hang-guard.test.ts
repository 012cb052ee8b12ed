import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

const ownTimeout =
  /^\s*jest\.setTimeout\(|^\s*\}, \d[\d_]{3,}\);$|^\s*(?:before|after)(?:All|Each)\(.*, \d[\d_]{3,}\);$/m;

// On a busy machine, a test that starts fifteen processes takes over a minute: the limit only ends tests that hang.
it('sets no timeout in a test file: package.json sets 300 seconds for all tests', () => {
  const { jest } = JSON.parse(readFileSync(join(TESTS, '../package.json'), 'utf8')) as { jest: object };
  expect(jest).toMatchObject({ testTimeout: 300_000 });
  expect(files.length).toBeGreaterThan(250);
  expect(files.filter((file) => ownTimeout.test(readFileSync(join(TESTS, file), 'utf8')))).toEqual([]);
});
