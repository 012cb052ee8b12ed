import { spawnSync } from 'node:child_process';

describe('decision record 0013', () => {
  it('has the numbers of files that a record creation executes', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/write-path.mjs', '--check'], { encoding: 'utf8' });

    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  });
});
