import * as fc from 'fast-check';
import type { RecordDraft } from '../../../src/domain/dns/records/dns-record';
import { INTERFACE_TYPES } from '../../../src/domain/dns/records/types/record-types';
import { ZONE } from './a-record';

const label = fc.stringMatching(/^[a-zA-Z0-9]{1,12}$/);
const host = fc
  .tuple(
    fc.oneof(label, fc.constantFrom('grün', 'ＷＷＷ', 'a-b')),
    label,
    fc.constantFrom('com', 'org.', 'ＥＸＡＭＰＬＥ。'),
  )
  .map((labels) => labels.join('.'));
const number = fc.integer({ min: 0, max: 65_535 });
const owner = fc.oneof(
  fc.constantFrom('@', ZONE, '*'),
  label.map((name) => `${name}.Example.com.`),
  fc.tuple(fc.constantFrom('*', '_a', 'bücher'), label).map((labels) => labels.join('.')),
);
const contents = {
  A: fc.ipV4(),
  AAAA: fc.ipV6(),
  CNAME: host,
  MX: host,
  TXT: fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.string().map((text) => JSON.stringify(text)),
  ),
  NS: host,
  SRV: fc.oneof(host, fc.constant('.')),
  CAA: fc
    .tuple(fc.constantFrom('0', '128'), fc.constantFrom('issue', 'IssueWild'), label)
    .map((parts) => parts.join(' ')),
};
/** Random records of all types for the zone of `a-record`; most of them are valid. */
export const likelyDraft = fc.constantFrom(...INTERFACE_TYPES).chain((type): fc.Arbitrary<RecordDraft> =>
  fc.record({
    type: fc.constant(type),
    name: type === 'SRV' ? fc.constantFrom('_sip._tcp', '_SIP._udp.example.com') : owner,
    content: contents[type],
    ttl: fc.integer({ min: 60, max: 604_800 }),
    priority: type === 'MX' || type === 'SRV' ? number : fc.constant(null),
    weight: type === 'SRV' ? fc.option(number, { nil: null }) : fc.constant(null),
    port: type === 'SRV' ? number : fc.constant(null),
  }),
);
