import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

const limitOfItsOwn =
  /^\s*jest\.setTimeout\(|^\s*\}, \d[\d_]{3,}\);$|^\s*(?:before|after)(?:All|Each)\(.*, \d[\d_]{3,}\);$/m;

it('leaves the time that a test may take to the one limit in package.json, which only ends what hangs: machines differ by a factor of ten', () => {
  expect(files.length).toBeGreaterThan(250);
  expect(files.filter((file) => limitOfItsOwn.test(readFileSync(join(TESTS, file), 'utf8')))).toEqual([]);
});
