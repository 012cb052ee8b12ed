import { ZoneFileReader, type ZoneFileReading, type LineNote } from '../../../../domain/dns/zone-file/read-zone-file';
import { zoneFileEntries } from '../../../../domain/dns/zone-file/zone-file-entries';
import type { WritableType } from '../../../../domain/dns/records/types/record-types';
import type { CooperativeTask } from '../../../shared/run-cooperatively';
import type { DnsRecord, RecordDraft } from '../../../../domain/dns/records/dns-record';
import { ItemsRejected } from '../../../../domain/dns/dns-errors';
import { ServiceError } from '../../../../domain/shared/service-error';
import { ValidationError } from '../../../../domain/shared/validation-error';

/** Reads a zone file line by line. `text` may come in pieces of any length. */
export function* readZoneFile(
  text: string | Iterable<string>,
  zoneName: string,
  maxRecords: number,
  types?: readonly WritableType[],
  assumedTtl?: number,
): CooperativeTask<ZoneFileReading> {
  const reader = new ZoneFileReader(zoneName, maxRecords, types, assumedTtl);
  for (const entry of zoneFileEntries(text)) {
    yield;
    if (entry && !reader.add(entry)) break;
  }
  return reader.finish();
}

/** The different records of a zone file. */
export interface ZoneFileRecords {
  readonly records: readonly DnsRecord[];
  /** The first line of each, by its identity. */
  readonly lineOf: ReadonlyMap<string, number>;
  /** Lines that repeat an earlier record. */
  readonly repetitions: readonly LineNote[];
}

interface LineError {
  readonly line: number;
  readonly error: ServiceError;
}

/** Validates each record by itself. @throws ItemsRejected with every invalid line */
export function* zoneFileRecords(
  reading: ZoneFileReading,
  create: (draft: RecordDraft) => DnsRecord,
): CooperativeTask<ZoneFileRecords> {
  const errors: LineError[] = reading.errors.map(({ line, message }) => ({
    line,
    error: new ValidationError([{ path: '', message }]),
  }));
  const records: DnsRecord[] = [];
  const lineOf = new Map<string, number>();
  const repetitions: LineNote[] = [];
  for (const { line, draft } of reading.records) {
    yield;
    const record = attempt(() => create(draft));
    if (record instanceof ServiceError) {
      errors.push({ line, error: record });
      continue;
    }
    const identity = record.identity();
    const first = lineOf.get(identity);
    if (first !== undefined) {
      repetitions.push({ line, note: `skipped: it repeats line ${first}` });
      continue;
    }
    lineOf.set(identity, line);
    records.push(record);
  }
  assertNone(errors.toSorted((one, other) => one.line - other.line));
  return { records, lineOf, repetitions };
}

function attempt<T>(create: () => T): T | ServiceError {
  try {
    return create();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function assertNone(errors: readonly LineError[]): void {
  const [first, ...others] = errors.map(({ line, error }) => ({ place: `line ${line}`, error }));
  if (first) throw new ItemsRejected([first, ...others]);
}
