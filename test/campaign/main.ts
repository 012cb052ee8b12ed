import 'reflect-metadata';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_CACHE } from '../support/service/service-process';
import type { Campaign } from './campaign';
import { CAMPAIGNS, COMPUTING, WAITING } from './campaigns';

/** The gate runs one part of the campaigns, chosen by its commit. */
const PARTS = 4;

const USAGE = `usage: npm run campaign -- NAME [SIZE]   (SEED=n repeats the choices of a run)
       npm run campaign -- ci [PART]     all at the size for CI, or those of part 1 to ${PARTS}
${CAMPAIGNS.map(({ name, unit, ciSize, fullSize }) => `  ${name}: ${ciSize > 0 ? ciSize : 'no'} ${unit} in CI, ${fullSize} at full size`).join('\n')}`;

async function main([name, sizeText]: readonly string[]): Promise<number> {
  if (name === 'ci') {
    const part = Number(sizeText);
    if (sizeText === undefined) return runInCi(() => true);
    if (Number.isSafeInteger(part) && part >= 1 && part <= PARTS) return runInCi((index) => index % PARTS === part - 1);
  }
  const campaign = CAMPAIGNS.find((each) => each.name === name);
  const size = sizeText === undefined ? campaign?.ciSize : Number(sizeText);
  if (!campaign || size === undefined || !Number.isSafeInteger(size) || size < 1) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  return (await countFailures(campaign, size, seed)) === 0 ? 0 : 1;
}

/** The campaigns start them many times. */
const PROGRAMS = [__filename, join(__dirname, '../crash/child/service.js'), join(__dirname, '../../src/main.js')];
/** Few, because the tests that run beside them must not wait for a core until their time limits end. */
const WAITING_AT_A_TIME = 2;
/** In CI, a campaign that hangs must not hold up the others. */
const AT_MOST_MS = 20 * 60_000;
const MAX_FAILURES_SHOWN = 20;

interface Ended {
  readonly name: string;
  readonly seconds: number;
  /** What the campaign wrote about it; null if it was killed. */
  readonly processorSeconds: number | null;
  /** Null if it passed. */
  readonly failure: string | null;
}

/**
 * Runs the campaigns of CI, chosen by their index, each in a separate process: those that wait for other programs most of the
 * time some at a time, those that compute one after the other. Writes the times to the file that CAMPAIGN_TIMES names, for the table of the gate.
 */
async function runInCi(isChosen: (index: number) => boolean): Promise<number> {
  execFileSync(process.execPath, ['test/support/service/record-code-cache.mjs', ...PROGRAMS]);
  const ended: Ended[] = [];
  const runInTurn = async (names: string[]): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) ended.push(await runAlone(name));
  };
  const chosen = CAMPAIGNS.filter(({ ciSize }) => ciSize > 0).filter((_, index) => isChosen(index));
  const namesOf = (campaigns: readonly Campaign[]): string[] =>
    campaigns.filter((campaign) => chosen.includes(campaign)).map(({ name }) => name);
  const waiting = namesOf(WAITING);
  await Promise.all([
    ...Array.from({ length: WAITING_AT_A_TIME }, () => runInTurn(waiting)),
    runInTurn(namesOf(COMPUTING)),
  ]);
  const timesFile = process.env['CAMPAIGN_TIMES'];
  if (timesFile !== undefined) writeFileSync(timesFile, JSON.stringify(ended));
  const failed = ended.flatMap(({ failure }) => failure ?? []);
  for (const failure of failed) process.stdout.write(`${failure}\n`);
  return failed.length === 0 ? 0 : 1;
}

/** Writes the output of a campaign when it ends. Failures come again at the end of the output of CI, the part that is kept. */
function runAlone(name: string): Promise<Ended> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...CODE_CACHE, __filename, name],
      { maxBuffer: 64 * 1024 * 1024, timeout: AT_MOST_MS, killSignal: 'SIGKILL' },
      (_, stdout, stderr) => {
        process.stdout.write(stdout);
        process.stderr.write(stderr);
        const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('FAILED'));
        const shown = lines.length > 0 ? lines.slice(0, MAX_FAILURES_SHOWN) : [stderr.slice(-2_000)];
        const processor = PROCESSOR_SECONDS.exec(stdout)?.[1];
        resolve({
          name,
          seconds: secondsSince(startedAt),
          processorSeconds: processor === undefined ? null : Number(processor),
          failure:
            child.exitCode === 0
              ? null
              : [`FAILED campaign ${name}, exit ${child.exitCode ?? child.signalCode}:`, ...shown].join('\n'),
        });
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
  process.stdout.write(`${campaign.name}: ${summary} (${secondsSince(startedAt)} s)\n`);
  process.stdout.write(`${campaign.name}: ${processorSeconds()} s of processor time\n`);
  return failures.length + (isFullSize ? missed.length : 0);
}

const PROCESSOR_SECONDS = /: (\d+) s of processor time\n$/;
const TICKS_PER_SECOND = 100;

/** Of this process and of the processes that it has waited for. */
function processorSeconds(): number {
  // The name of the program, in parentheses, may contain spaces; user, system and the same of children follow it.
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return Math.round(ticks.reduce((total, each) => total + each, 0) / TICKS_PER_SECOND);
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 1_000);
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
