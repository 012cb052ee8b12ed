import { DnsRecord, type RecordDraft } from '../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../src/domain/dns/records/types/record-types';

export const ZONE = 'example.com';
export const CREATED = new Date('2026-01-01T00:00:00.000Z');

/** An A record at `www` of example.com, but for what is overridden. */
export function aRecord(overrides: Partial<RecordDraft> = {}, id = 'rec_1'): DnsRecord {
  const draft = { type: 'A', name: 'www', content: '192.0.2.1', ...overrides };
  return DnsRecord.create(draft, ZONE, id, CREATED, ALL_TYPES);
}
