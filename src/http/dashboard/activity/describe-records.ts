import { recordLines, type RecordLine } from '../../../application/audit/record-lines';
import type { AuditEntry, AuditFacts } from '../../../domain/access/audit-entry';

/** Characters of a record's data. */
const MAX_DATA = 80;
/** Data before its comment; a semicolon in quotes belongs to the data. */
const WITHOUT_COMMENT = /^(?:[^";]|"(?:[^"\\]|\\.)*")+/;

/** MX @ 10 mx1.example.net and 3 more */
export function describeRecords(facts: AuditFacts): string {
  const lines = recordLines(facts);
  const [first] = lines;
  return first ? withMore(describeRecord(first), countIn(facts) - 1) : 'records';
}

/** A www from 192.0.2.1 to 192.0.2.2 and 3 more */
export function describeChangedRecords({ before, after }: AuditEntry): string {
  const [[old], [current]] = [recordLines(before), recordLines(after)];
  return old && current ? withMore(describeDifference(old, current), countIn(after) - 1) : 'records';
}

/** added MX @ 10 mx1.example.net and 3 more, deleted A www 192.0.2.1 */
export function describeSeveralChanges({ before, after }: AuditEntry): string {
  return [
    ...(countIn(after) > 0 ? [`added ${describeRecords(after)}`] : []),
    ...(countIn(before) > 0 ? [`deleted ${describeRecords(before)}`] : []),
  ].join(', ');
}

function describeDifference(old: RecordLine, current: RecordLine): string {
  const same = `${current.type} ${current.name}`;
  if (old.name !== current.name || old.type !== current.type)
    return `${describeRecord(old)} to ${describeRecord(current)}`;
  const [from, to] = [dataOf(old), dataOf(current)];
  if (from !== to) return `${same} from ${from} to ${to}`;
  if (old.ttl !== current.ttl) return `the TTL of ${same} from ${old.ttl} to ${current.ttl}`;
  return old.data === current.data ? same : `the notes of ${same}`;
}

function describeRecord(line: RecordLine): string {
  return `${line.type} ${line.name} ${dataOf(line)}`;
}

/** Without the comment, the last dot of a host name, and what is too long for a sentence. */
function dataOf({ data }: RecordLine): string {
  const text = (WITHOUT_COMMENT.exec(data)?.[0] ?? data).trim().replace(/(?<=[\w-])\.$/, '');
  return text.length > MAX_DATA ? `${text.slice(0, MAX_DATA)}…` : text;
}

function countIn(facts: AuditFacts): number {
  const { more } = facts;
  return recordLines(facts).length + (typeof more === 'number' ? more : 0);
}

function withMore(text: string, more: number): string {
  return more > 0 ? `${text} and ${more} more` : text;
}
