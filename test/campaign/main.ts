import 'reflect-metadata';
import { execFile } from 'node:child_process';
import type { Campaign } from './campaign';
import { CAMPAIGNS } from './campaigns';

const USAGE = `usage: npm run campaign -- NAME [SIZE]   (SEED=n repeats the choices of a run)
       npm run campaign -- ci            all, at the size for CI
${CAMPAIGNS.map(({ name, unit, ciSize, fullSize }) => `  ${name}: ${ciSize > 0 ? ciSize : 'no'} ${unit} in CI, ${fullSize} at full size`).join('\n')}`;

async function main([name, sizeText]: readonly string[]): Promise<number> {
  if (name === 'ci' && sizeText === undefined) return runAll();
  const campaign = CAMPAIGNS.find((each) => each.name === name);
  const size = sizeText === undefined ? campaign?.ciSize : Number(sizeText);
  if (!campaign || size === undefined || !Number.isSafeInteger(size) || size < 1) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  return (await countFailures(campaign, size, seed)) === 0 ? 0 : 1;
}

const AT_A_TIME = 4;
/** In CI, a campaign that hangs must not hold up the others. */
const AT_MOST_MS = 20 * 60_000;
const MAX_FAILURES_SHOWN = 20;

/** Runs each campaign in a separate process, some at a time: they wait for other programs most of the time. */
async function runAll(): Promise<number> {
  const names = CAMPAIGNS.filter(({ ciSize }) => ciSize > 0).map(({ name }) => name);
  const failed: string[] = [];
  const runRest = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const failure = await runAlone(name);
      if (failure !== null) failed.push(failure);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, runRest));
  for (const failure of failed) process.stdout.write(`${failure}\n`);
  return failed.length === 0 ? 0 : 1;
}

/**
 * Writes the output of a campaign when it ends. Returns null if it passed, and otherwise what failed, for the end of the
 * output of CI, the part that is kept.
 */
function runAlone(name: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [__filename, name],
      { maxBuffer: 64 * 1024 * 1024, timeout: AT_MOST_MS, killSignal: 'SIGKILL' },
      (_, stdout, stderr) => {
        process.stdout.write(stdout);
        process.stderr.write(stderr);
        if (child.exitCode === 0) return resolve(null);
        const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('FAILED'));
        const shown = lines.length > 0 ? lines.slice(0, MAX_FAILURES_SHOWN) : [stderr.slice(-2_000)];
        resolve([`FAILED campaign ${name}, exit ${child.exitCode ?? child.signalCode}:`, ...shown].join('\n'));
      },
    );
  });
}

async function countFailures(campaign: Campaign, size: number, seed: number): Promise<number> {
  const startedAt = performance.now();
  process.stdout.write(`${campaign.name}: SEED=${seed}, ${size} ${campaign.unit}\n`);
  const { summary, failures, missed = [] } = await campaign.run(size, seed);
  const isFullSize = size >= campaign.fullSize;
  for (const aim of missed)
    process.stdout.write(`${isFullSize ? 'FAILED' : 'MISSED (fails at full size only)'} ${campaign.name}: ${aim}\n`);
  for (const failure of failures) process.stdout.write(`FAILED ${campaign.name}: ${failure}\n`);
  process.stdout.write(`${campaign.name}: ${summary} (${Math.round((performance.now() - startedAt) / 1_000)} s)\n`);
  return failures.length + (isFullSize ? missed.length : 0);
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
