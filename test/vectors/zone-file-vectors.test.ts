import { DnsRecord, type RecordValues, MAX_TTL, MIN_TTL } from '../../src/domain/dns/records/dns-record';
import { dnameConflicts } from '../../src/domain/dns/zone-rules';
import { ALL_TYPES, type WritableType } from '../../src/domain/dns/records/types/record-types';
import { findZoneRuleViolations } from '../../src/domain/dns/zone-rules';
import { readZoneFile } from '../../src/application/dns/zones/zone-files/zone-file-records';
import { dnsVectors } from '../support/data/dns-vectors';
import { runToCompletion } from '../support/run-to-completion';
import { thrownBy } from '../support/thrown-by';

const NOW = new Date('2026-01-01T00:00:00.000Z');

describe('the zone files of sixteen other projects', () => {
  const { zonefiles } = dnsVectors();

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

/**
 * The vectors with types that are skipped by default: what RECORD_TYPES=all imports of these types, or why it refuses the file.
 * SOA, SPF, RP and the obsolete mailbox types are skipped in any case.
 */
const VERDICTS: Readonly<Record<string, string>> = {
  'zone-004': 'a CNAME must be the only record at its name', // beside a DNAME
  'zone-005': 'a CNAME must be the only record at its name', // beside an HTTPS record
  'zone-009': 'the data of a PTR record must be a full domain name', // the root
  'zone-010': 'a CNAME must be the only record at its name', // beside an SPF record
  'zone-012': 'a CNAME must be the only record at its name', // beside an SVCB record
  'zone-053': 'no record can be below the name of a DNAME',
  'zone-055': 'a DNAME must be the only one at its name',
  'zone-056': 'DS records of the apex belong to the parent zone',
  'zone-067': 'MD is not a record type',
  'zone-105': 'the data of a TLSA record must be', // a SHA-256 digest of 18 octets
  'zone-108': '4 PTR',
  'zone-110': '3 PTR, 45 SSHFP, 41 TLSA',
  'zone-113': 'Invalid content for CNAME record',
  'zone-116': 'a backslash with digits',
  'zone-128': '1 DS',
  'zone-133': 'Invalid content for MX record',
};

describe('the zone files with every type switched on', () => {
  const { zonefiles } = dnsVectors();
  const skipping = zonefiles.filter(({ zone, text }) =>
    Object.keys(outcomeOf(zone, text).skippedTypes).some((type) => type !== 'SOA'),
  );

  it('are judged again if types were skipped', () => {
    expect(skipping.map(({ id }) => id).toSorted()).toEqual(Object.keys(VERDICTS).toSorted());
  });

  it.each(skipping.map((vector) => [vector.id, vector] as const))('%s', (id, { zone, text }) => {
    const { errors, lines } = outcomeOf(zone, text, ALL_TYPES);
    const before = new Set(outcomeOf(zone, text).lines);
    const added = lines.filter((line) => !before.has(line)).map((line) => line.split(' ')[2] ?? '');

    expect(errors.length === 0 ? countsOf(added) : JSON.stringify(errors.map(messageOf))).toContain(VERDICTS[id]);
  });
});

function countsOf(types: readonly string[]): string {
  return [...new Set(types)]
    .toSorted()
    .map((type) => `${types.filter((each) => each === type).length} ${type}`)
    .join(', ');
}

function messageOf(error: unknown): string {
  const { message, details = '' } = error as { readonly message: string; readonly details?: string };
  return `${message} ${details}`;
}

function outcomeOf(zone: string, text: string, types?: readonly WritableType[]) {
  const zoneName = zone.toLowerCase();
  const reading = runToCompletion(readZoneFile(text, zoneName, 10_000, types));
  const records: DnsRecord[] = [];
  const rejected = reading.records.flatMap(
    ({ line, draft }) =>
      thrownBy(() => records.push(DnsRecord.create(draft, zoneName, `rec_${line}`, NOW, types))) ?? [],
  );
  const different = [...new Map(records.map((record) => [record.identity(), record])).values()];
  const changed = new Set(different.map(({ id }) => id));
  const conflicts = [
    ...runToCompletion(findZoneRuleViolations(different, changed)),
    ...dnameConflicts(different, changed),
  ];
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
