import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DnsRecord, type RecordValues, MAX_TTL, MIN_TTL } from '../../src/domain/dns/records/dns-record';
import { findZoneRuleViolations } from '../../src/application/dns/zones/change-rules';
import { readZoneFile } from '../../src/application/dns/zones/zone-file-records';
import { describeOrSkip } from '../support/describe-or-skip';
import { runToCompletion } from '../support/run-to-completion';
import { thrownBy } from '../support/thrown-by';

const FILE = path.resolve(__dirname, '../../../shared/dns/vectors.json');
const NOW = new Date('2026-01-01T00:00:00.000Z');

interface Vector {
  readonly id: string;
  readonly zone: string;
  readonly text: string;
  readonly expected: 'ok' | 'reject';
  readonly confidence: 'hard' | 'policy';
  readonly records?: readonly RecordValues[];
  readonly skipped_types?: Readonly<Record<string, number>>;
}

describeOrSkip(existsSync(FILE) ? undefined : `${FILE} is absent`)('the zone files of sixteen other projects', () => {
  const { zonefiles } = JSON.parse(readFileSync(FILE, 'utf8')) as { zonefiles: readonly Vector[] };

  it.each(zonefiles.map((vector) => [vector.id, vector.confidence, vector] as const))(
    '%s (%s)',
    (_id, _confidence, { zone, text, expected, records = [], skipped_types: skippedTypes = {} }) => {
      const outcome = outcomeOf(zone, text);

      if (expected === 'reject') expect(outcome.errors).not.toEqual([]);
      else
        expect(outcome).toEqual({
          errors: [],
          lines: records
            .map((values) =>
              lineOf(
                DnsRecord.create(
                  { ...values, ttl: clampTtl(values.ttl), content: makeAbsolute(values) },
                  zone.toLowerCase(),
                  'rec',
                  NOW,
                ),
              ),
            )
            .toSorted(),
          skippedTypes,
        });
    },
  );
});

function outcomeOf(zone: string, text: string) {
  const zoneName = zone.toLowerCase();
  const reading = runToCompletion(readZoneFile(text, zoneName, 10_000));
  const records: DnsRecord[] = [];
  const rejected = reading.records.flatMap(
    ({ line, draft }) => thrownBy(() => records.push(DnsRecord.create(draft, zoneName, `rec_${line}`, NOW))) ?? [],
  );
  const different = [...new Map(records.map((record) => [record.identity(), record])).values()];
  const conflicts = runToCompletion(findZoneRuleViolations(different, new Set(different.map(({ id }) => id))));
  return {
    errors: [...reading.errors, ...rejected, ...conflicts],
    lines: different.map(lineOf).toSorted(),
    skippedTypes: reading.skippedTypes,
  };
}

function lineOf(record: DnsRecord): string {
  return `${record.ttl} ${record.identity()}`;
}

function clampTtl(ttl: number): number {
  return Math.min(Math.max(ttl, MIN_TTL), MAX_TTL);
}

/** We store single-label names with a trailing dot. */
function makeAbsolute({ type, content }: RecordValues): string {
  return ['CNAME', 'MX', 'NS', 'SRV'].includes(type) && !content.includes('.') ? `${content}.` : content;
}
