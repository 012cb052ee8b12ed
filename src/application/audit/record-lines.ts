import type { AuditEntry, AuditFacts } from '../../domain/access/audit-entry';

/** A record in an audit entry. */
export interface RecordLine {
  readonly name: string;
  readonly ttl: string;
  readonly type: string;
  /** What follows the type. */
  readonly data: string;
}

/** A line of an entry, as `zoneChanged` writes it. */
const LINE = /^(\S+) (\d+) (\S+) (.*)$/s;

/** The records that an entry has before or after its change; the others are in the history of the zone. */
export function recordLines({ records }: AuditFacts): readonly RecordLine[] {
  if (!Array.isArray(records)) return [];
  return records.flatMap((line: unknown) => {
    const [, name, ttl, type, data] = (typeof line === 'string' && LINE.exec(line)) || [];
    const isLine = name !== undefined && ttl !== undefined && type !== undefined && data !== undefined;
    return isLine ? [{ name, ttl, type, data }] : [];
  });
}

/** The types of all records that an entry is about, also of those that it does not list. */
export function recordTypesOf({ action, before, after }: Pick<AuditEntry, 'action' | 'before' | 'after'>): string[] {
  if (!action.startsWith('records.') && action !== 'zone.changed') return [];
  return [...new Set([before, after].flatMap(typesIn))];
}

function typesIn(facts: AuditFacts): readonly string[] {
  const { types } = facts;
  return Array.isArray(types) ? types.map(String) : recordLines(facts).map(({ type }) => type);
}
