import { DnsRecord } from '../../src/domain/dns/records/dns-record';
import { ServiceError } from '../../src/domain/shared/service-error';
import { assertConsistent } from '../support/assert-consistent';
import { dnsVectors, type RecordVector } from '../support/data/dns-vectors';

const NOW = new Date('2026-01-01T00:00:00.000Z');

describe('the record vectors of sixteen other projects', () => {
  it.each(dnsVectors().records.map((vector) => [vector.id, vector.confidence, vector] as const))(
    '%s (%s)',
    (_id, _confidence, vector) => {
      const outcome = outcomeOf(vector);

      expect(outcome).toEqual(
        vector.expected === 'ok'
          ? { name: vector.canonical_name, rdata: vector.canonical_rdata }
          : { code: vector.code },
      );
    },
  );
});

function outcomeOf(vector: RecordVector): { name: string; rdata: string } | { code: string } {
  const existing = (vector.existing ?? []).map((draft, index) =>
    DnsRecord.create(draft, vector.zone, `rec_${index}`, NOW),
  );
  if (!hasJsonTypes(vector)) return { code: 'VALIDATION_ERROR' };
  try {
    const record = DnsRecord.create(vector, vector.zone, 'rec_new', NOW);
    const neighbors = existing.filter(({ name }) => name === record.name);
    assertConsistent([...neighbors, record], new Set([record.id]));
    return { name: record.name, rdata: record.rdata() };
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code };
    throw error;
  }
}

/** The HTTP layer checks these types before the domain sees a record. */
function hasJsonTypes({ type, name, content, ttl, priority, weight, port }: RecordVector): boolean {
  const strings = [type, name, content];
  const numbers = [ttl ?? undefined, priority ?? undefined, weight ?? undefined, port ?? undefined];
  return (
    strings.every((value) => typeof value === 'string') &&
    numbers.every((value) => value === undefined || typeof value === 'number')
  );
}
