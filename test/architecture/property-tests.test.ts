import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
const propertyTests = files
  .map((file) => [file, readFileSync(join(TESTS, file), 'utf8')] as const)
  .filter(([, text]) => /^import .* from 'fast-check'/m.test(text));

const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

it.each(propertyTests)('%s draws the same cases in every run', (_file, text) => {
  expect(count(/\b(?:assert|sample)\(/g, text)).toBeGreaterThan(0);
  expect(count(/\bseeded\(/g, text)).toBe(count(/\b(?:assert|sample)\(/g, text));
});
