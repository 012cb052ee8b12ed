import type { Answer } from 'dns-packet';

/** A zone as a secondary has it: one text per record. */
export type ZoneLines = ReadonlySet<string>;

/**
 * The zone after a transfer, as RFC 1995, section 4, and RFC 5936, section 2.2, say. `kind` tells what came.
 * @throws Error if a record is removed that the zone does not have, or added that it has
 */
export function applyTransfer(
  zone: ZoneLines,
  answers: readonly Answer[],
): { readonly zone: ZoneLines; readonly kind: 'single SOA' | 'AXFR' | 'IXFR' } {
  const [first, second] = answers;
  if (first?.type !== 'SOA') throw new Error('the first record is not an SOA');
  if (answers.length === 1) return { zone, kind: 'single SOA' };
  if (answers.at(-1)?.type !== 'SOA') throw new Error('the last record is not an SOA');
  if (second?.type !== 'SOA') return { zone: new Set(answers.map(lineOf)), kind: 'AXFR' };
  const lines = new Set(zone);
  let isAdding = true;
  for (const answer of answers.slice(1, -1)) {
    if (answer.type === 'SOA') isAdding = !isAdding;
    const line = lineOf(answer);
    if (isAdding === lines.has(line)) throw new Error(`${isAdding ? 'added' : 'removed'} in vain: ${line}`);
    if (isAdding) lines.add(line);
    else lines.delete(line);
  }
  return { zone: lines, kind: 'IXFR' };
}

function lineOf(answer: Answer): string {
  return JSON.stringify([
    answer.name.toLowerCase(),
    'ttl' in answer ? answer.ttl : '',
    answer.type,
    'data' in answer ? answer.data : '',
  ]);
}
