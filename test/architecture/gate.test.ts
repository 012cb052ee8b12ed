import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const suite = (file: string, seconds: number) => ({
  name: join(process.cwd(), 'test', file),
  status: 'passed',
  startTime: 0,
  endTime: seconds * 1_000,
  assertionResults: [{ fullName: `${file} works`, status: 'passed' }],
});

describe('the verdict of the gate', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-gate-'));
    const testResults = [suite('quick.test.ts', 1), suite('slow.test.ts', 61)];
    writeFileSync(join(folder, 'jest.json'), JSON.stringify({ testResults }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('writes the times of parts, test files and campaigns, longest first, before the last line', () => {
    writeFileSync(join(folder, 'parts.tsv'), 'npm ci\t20\t31\ntests\t900\t1500\n');
    const campaigns = [
      { name: 'crash', seconds: 60, processorSeconds: 12, failure: null },
      { name: 'faults', seconds: 90, processorSeconds: null, failure: 'it was killed' },
    ];
    writeFileSync(join(folder, 'campaigns.json'), JSON.stringify(campaigns));
    const lines = execFileSync(process.execPath, ['.ci/verdict.mjs', folder, 'lint=0'], { encoding: 'utf8' });
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().replaceAll(/ {2,}/g, ' | ')),
    ).toEqual([
      'Parts of the gate | seconds | processor',
      'npm ci | 20 | 31',
      'tests | 900 | 1500',
      'Longest test files | seconds | processor',
      'test/slow.test.ts | 61 | -',
      'test/quick.test.ts | 1 | -',
      'Campaigns | seconds | processor',
      'faults | 90 | -',
      'crash | 60 | 12',
      '3 passed, 0 failed',
    ]);
  });

  it('fails for a check that failed and for a result that is missing, and still ends with the count', () => {
    rmSync(join(folder, 'jest.json'));
    const { stdout, status } = spawnSync(process.execPath, ['.ci/verdict.mjs', folder, 'lint=0', 'campaigns=1'], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout.trimEnd().split('\n').slice(-3)).toEqual([
      'FAILED the tests wrote no result',
      'FAILED campaigns ended with 1',
      '1 passed, 2 failed',
    ]);
  });
});
