import { createHash } from 'node:crypto';
import type { ZoneChange } from '../../../application/ports/dns/zone-repository';
import { runCooperatively, type CooperativeTask } from '../../../application/run-cooperatively';
import type { DnsRecord, DnsRecordState } from '../../../domain/dns/records/dns-record';

interface PreparedRecord {
  readonly digest: string;
  readonly json: string;
}

const RECORDS_PER_STEP = 50;

/** By state, because a record that changes gets a new one. */
const prepared = new WeakMap<DnsRecordState, PreparedRecord>();

/** Computes ahead what storing a change of many records takes, so that no lock is held meanwhile. */
export async function prepareRecords(change: ZoneChange): Promise<void> {
  await runCooperatively(preparation(change));
}

function* preparation({ added, changed, removed }: ZoneChange): CooperativeTask<void> {
  let count = 0;
  for (const record of [...removed, ...changed.flatMap(({ before, after }) => [before, after]), ...added]) {
    prepared.set(record.toState(), { digest: digest(record), json: json(record) });
    count += 1;
    if (count % RECORDS_PER_STEP === 0) yield;
  }
}

/** Equal for identical records. */
export function digestOf(record: DnsRecord): string {
  return prepared.get(record.toState())?.digest ?? digest(record);
}

/** The record as the history of its zone stores it. */
export function jsonOf(record: DnsRecord): string {
  return prepared.get(record.toState())?.json ?? json(record);
}

function digest(record: DnsRecord): string {
  return createHash('sha256').update(record.identity()).digest('hex');
}

function json(record: DnsRecord): string {
  const { createdAt, updatedAt, ...state } = record.toState();
  return JSON.stringify({ ...state, createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() });
}
