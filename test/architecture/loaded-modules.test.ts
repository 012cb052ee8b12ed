import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['test/crash', 'test/support', 'bench', 'scripts'];
/** Modules of the build that programs name in a text, which the compiler does not check. */
const LOADED = /\bload\('([\w./-]+)\.js'\)|(?<!clients\/\w+\/)\bdist\/([\w./-]+)\.js\b/g;

describe('modules of the build that tests, benchmarks and scripts load', () => {
  it('have a source, so that none is found only in the build of an older version', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    ).filter((name) => /\.(?:cjs|mjs|js|ts)$/.test(name));
    const missing = files.flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(LOADED), ([, loaded, inDist]) => loaded ?? inDist ?? '')
        .filter((module) => !['.ts', '.tsx', '.js'].some((type) => existsSync(join('src', module + type))))
        .map((module) => `${file}: ${module}`),
    );
    expect(missing).toEqual([]);
  });
});
