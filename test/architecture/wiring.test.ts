import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCE = resolve(__dirname, '../../src');
const HOME = 'application/ports/inject.ts';
const UNTYPED = /= Symbol\('|\b(?:inject|multiInject)\b[^}]*\} from 'inversify'/;

// wiring-types.ts is the test that swapped bindings do not compile.
it('makes tokens and injects by application/ports/inject only, whose tokens and parameters have types', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const untyped = files.filter((file) => UNTYPED.test(readFileSync(join(SOURCE, file), 'utf8')));

  expect(untyped).toEqual([HOME]);
});
