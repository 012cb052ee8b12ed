import 'reflect-metadata';
import type { Campaign } from './campaign';
import { CAMPAIGNS } from './campaigns';

const USAGE = `usage: npm run campaign -- NAME [SIZE]   (SEED=n repeats the choices of a run)
       npm run campaign -- ci            all, at the size for CI
${CAMPAIGNS.map(({ name, unit, ciSize, fullSize }) => `  ${name}: ${ciSize} ${unit} in CI, ${fullSize} at full size`).join('\n')}`;

async function main([name, sizeText]: readonly string[]): Promise<number> {
  const chosen = name === 'ci' ? CAMPAIGNS : CAMPAIGNS.filter((campaign) => campaign.name === name);
  const size = sizeText === undefined ? undefined : Number(sizeText);
  if (chosen.length === 0 || (size !== undefined && (name === 'ci' || !Number.isSafeInteger(size) || size < 1))) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  let failed = 0;
  for (const campaign of chosen) failed += await countFailures(campaign, size ?? campaign.ciSize, seed);
  return failed === 0 ? 0 : 1;
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
