import * as fc from 'fast-check';
import { DnsRecord, type RecordDraft } from '../../../../src/domain/dns/records/dns-record';
import { INTERFACE_TYPES } from '../../../../src/domain/dns/records/types/record-types';
import { CREATED, ZONE } from '../../../support/data/a-record';
import { likelyDraft } from '../../../support/data/likely-draft';
import { seeded, TIMES } from '../../../support/seeded';
import { thrownBy } from '../../../support/thrown-by';

const LATER = new Date('2026-02-01T00:00:00.000Z');

const codeUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  codeUnits.map((units) => String.fromCharCode(...units)), // lone surrogates, too
  fc.string({
    unit: fc.constantFrom('a', 'Z', '0', '.', '@', '*', '-', '_', '"', '\\', ' ', ';', ':', '。', 'ü', 'ß', '=', '\t'),
  }),
);
const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 0, 60, 65_535, 65_536, Number.NaN));
const maybe = fc.option(anyNumber, { nil: null });
const anyDraft: fc.Arbitrary<RecordDraft> = fc.record(
  {
    type: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...INTERFACE_TYPES) }, anyText),
    name: fc.oneof(fc.constantFrom('@', 'www', '_sip._tcp', '*'), anyText),
    content: anyText,
    ttl: anyNumber,
    priority: maybe,
    weight: maybe,
    port: maybe,
  },
  { requiredKeys: ['type', 'name', 'content'] },
);

const halfArbitraryDraft = fc
  .tuple(likelyDraft, fc.constantFrom('name', 'content'), anyText)
  .map(([draft, field, text]): RecordDraft => ({ ...draft, [field]: text }));

function created(draft: RecordDraft): DnsRecord | undefined {
  let record: DnsRecord | undefined;
  thrownBy(() => (record = DnsRecord.create(draft, ZONE, 'rec_1', CREATED)));
  return record;
}

describe('any input', () => {
  it('is taken or refused with a service error', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => void created(draft)),
      seeded(3_000),
    );
  });

  it('changes a record or is refused with a service error that leaves it as it was', () => {
    fc.assert(
      fc.property(
        likelyDraft,
        anyDraft,
        fc.subarray(['type', 'name', 'content', 'ttl', 'priority', 'port'] as const),
        (draft, patch, fields) => {
          const record = created(draft);
          const before = record?.toState();

          const chosen = Object.fromEntries(fields.map((field) => [field, patch[field]]));
          const refusal = thrownBy(() => record?.change(chosen, ZONE, LATER));

          if (refusal !== undefined) expect(record?.toState()).toEqual(before);
        },
      ),
      seeded(2_000),
    );
  });
});

describe('the returned form', () => {
  it.each([
    ['likely', likelyDraft],
    ['half arbitrary', halfArbitraryDraft],
  ])('is accepted, of %s input, as it is and moves nothing but updatedAt', (_kind, drafts) => {
    let accepted = 0;
    fc.assert(
      fc.property(drafts, (draft) => {
        const record = created(draft);
        if (record === undefined) return;
        accepted += 1;
        const { id, createdAt, updatedAt, ...answered } = record.toState();

        expect(created(answered)?.toState()).toEqual(record.toState());
        record.change(answered, ZONE, LATER);
        expect(record.toState()).toEqual({ id, ...answered, createdAt, updatedAt: LATER });
        expect(updatedAt).toBe(CREATED);
      }),
      seeded(3_000),
    );
    expect(accepted).toBeGreaterThan(100 * TIMES); // so that the property is tested
  });

  it('keeps the identity', () => {
    fc.assert(
      fc.property(likelyDraft, (draft) => {
        const record = created(draft);

        expect(record && created(record.toState())?.identity()).toBe(record?.identity());
      }),
      seeded(),
    );
  });
});
