import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SlowFirst from '../../.ci/slow-first.cjs';

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
    writeFileSync(join(folder, 'parts.tsv'), 'npm ci\t20\t31\t0\ntests\t900\t1500\t0\nlint\t8\t15\t0\n');
    const campaigns = [
      { name: 'crash', seconds: 60, processorSeconds: 12, failure: null },
      { name: 'faults', seconds: 90, processorSeconds: null, failure: 'it was killed' },
    ];
    writeFileSync(join(folder, 'campaigns.json'), JSON.stringify(campaigns));
    writeFileSync(join(folder, 'processor-seconds.tsv'), '0.5\t1.5\t1.2\ttest/quick.test.ts\n');
    const lines = execFileSync(process.execPath, ['.ci/verdict.mjs', folder, 'lint'], { encoding: 'utf8' });
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().replaceAll(/ {2,}/g, ' | ')),
    ).toEqual([
      'Parts of the gate | seconds | processor',
      'npm ci | 20 | 31',
      'tests | 900 | 1500',
      'lint | 8 | 15',
      'Longest test files | seconds | processor',
      'test/slow.test.ts | 61 | -',
      'test/quick.test.ts | 1 | 3',
      'Test files with the most processor time | seconds | processor',
      'test/quick.test.ts | 1 | 3',
      'test/slow.test.ts | 61 | -',
      'Campaigns | seconds | processor',
      'faults | 90 | -',
      'crash | 60 | 12',
      '3 passed, 0 failed',
    ]);
  });

  it('fails for a check that failed or did not run and for a result that is missing, and still ends with the count', () => {
    rmSync(join(folder, 'jest.json'));
    writeFileSync(join(folder, 'parts.tsv'), 'lint\t8\t15\t0\ncampaigns\t90\t40\t1\n');
    const checks = ['lint', 'campaigns', 'bench'];
    const { stdout, status } = spawnSync(process.execPath, ['.ci/verdict.mjs', folder, ...checks], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout.trimEnd().split('\n').slice(-4)).toEqual([
      'FAILED the tests wrote no result',
      'FAILED campaigns ended with 1',
      'FAILED bench did not run',
      '1 passed, 3 failed',
    ]);
  });
});

describe('the order of the gate', () => {
  it('names test files that exist, so that a moved file keeps its place', () => {
    const missing = SlowFirst.SLOWEST.filter((name) => !existsSync(`test/${name}.test.ts`));

    expect(missing).toEqual([]);
  });
});
