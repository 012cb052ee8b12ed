import { actorText } from '../../../domain/access/actor';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { quoteCell } from '../domains/domain-csv';
import { getActorName, type ActorNames } from './actor-names';

type Value = (entry: AuditEntry, names: ActorNames) => string;

const COLUMNS: readonly (readonly [heading: string, value: Value])[] = [
  ['at', ({ at }) => at.toISOString()],
  ['action', ({ action }) => action],
  ['domain', ({ domain }) => domain?.name ?? ''],
  ['subject', ({ subject }) => subject ?? ''],
  ['by', ({ actor }, names) => getActorName(actor, names)],
  ['actor', ({ actor }) => actorText(actor)],
  ['client_address', ({ clientAddress }) => clientAddress ?? ''],
  ['before', ({ before }) => JSON.stringify(before)],
  ['after', ({ after }) => JSON.stringify(after)],
  ['id', ({ id }) => id],
];

export const ACTIVITY_CSV_HEADING = `${COLUMNS.map(([heading]) => heading).join(',')}\r\n`;

/** A CSV record as in RFC 4180. */
export function toActivityCsvLine(entry: AuditEntry, names: ActorNames): string {
  return `${COLUMNS.map(([, value]) => quoteCell(value(entry, names))).join(',')}\r\n`;
}
