import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

describe('build-if-needed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-build-'));

  afterAll(() => rmSync(folder, { recursive: true }));

  it('exits with 1 and names the command to run if the compiler is missing', () => {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/main.ts'), 'export {};');

    const { status, stderr } = spawnSync(process.execPath, [resolve('scripts/build-if-needed.mjs')], {
      cwd: folder,
      encoding: 'utf8',
    });

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^dist\/ must be built.* `npm ci --include=dev`.*\n$/),
    });
  });
});
