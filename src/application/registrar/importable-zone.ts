import { DnsRecord } from '../../domain/dns/records/dns-record';
import type { WritableType } from '../../domain/dns/records/types/record-types';
import { ZoneFileReader } from '../../domain/dns/zone-file/read-zone-file';
import { zoneFileEntries } from '../../domain/dns/zone-file/zone-file-entries';
import { ServiceError } from '../../domain/shared/service-error';
import type { FoundZone, ImportableZone } from '../ports/dns/other-nameservers';
import { findZoneRuleViolations } from '../../domain/dns/zone-rules';
import type { CooperativeTask } from '../shared/run-cooperatively';

interface Problem {
  readonly line: number;
  readonly reason: string;
}

/** Reasons that a response lists; the rest is left out all the same. */
const MAX_LISTED = 100;
const MAX_SHOWN = 200;
const NEVER = new Date(0);

/** Leaves out the lines that an import would refuse. Each record is one entry of the zone file. */
export function* importableZone(
  { zoneFile, skipped }: FoundZone,
  zoneName: string,
  types: readonly WritableType[],
): CooperativeTask<ImportableZone> {
  const reader = new ZoneFileReader(zoneName, Number.MAX_SAFE_INTEGER, types);
  const starts: number[] = [];
  for (const entry of zoneFileEntries(zoneFile)) {
    yield;
    if (!entry) continue;
    starts.push(entry.line);
    if (!reader.add(entry)) break;
  }
  const { records, errors } = reader.finish();
  const problems: Problem[] = errors.map(({ line, message }) => ({ line, reason: message }));
  const valid = new Map<string, { readonly line: number; readonly record: DnsRecord }>();
  for (const { line, draft } of records) {
    yield;
    try {
      const record = DnsRecord.create(draft, zoneName, placeOf(line), NEVER, types);
      if (!valid.has(record.identity())) valid.set(record.identity(), { line, record });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      problems.push({ line, reason: error.details ?? error.message });
    }
  }
  const lines = new Map([...valid.values()].map(({ line, record }) => [record.id, line]));
  const created = [...valid.values()].map(({ record }) => record);
  const violations = yield* findZoneRuleViolations(created, new Set(created.map(({ id }) => id)));
  problems.push(
    ...violations.map(({ recordId, details, message }) => ({
      line: lines.get(recordId ?? '') ?? 0,
      reason: details ?? message,
    })),
  );
  return problems.length === 0
    ? { zoneFile, skipped, leftOut: [] }
    : withoutLines({ zoneFile, skipped }, starts, problems);
}

/** The id of a record, which messages about conflicts name. */
function placeOf(line: number): string {
  return `line ${line}`;
}

function withoutLines(
  { zoneFile, skipped }: FoundZone,
  starts: readonly number[],
  problems: readonly Problem[],
): ImportableZone {
  const lines = zoneFile.split('\n');
  const invalid = new Map(problems.map(({ line, reason }) => [line, reason]));
  const kept = new Set(lines.keys());
  const leftOut: string[] = [];
  for (const [index, start] of starts.entries()) {
    const reason = invalid.get(start);
    if (reason === undefined) continue;
    const end = starts[index + 1] ?? lines.length + 1;
    for (let line = start; line < end; line += 1) kept.delete(line - 1);
    const text = lines[start - 1]?.replace(/\s+/g, ' ').slice(0, MAX_SHOWN) ?? '';
    if (leftOut.length < MAX_LISTED) leftOut.push(`${text}: ${reason}`);
  }
  return { zoneFile: lines.filter((_line, index) => kept.has(index)).join('\n'), skipped, leftOut };
}
