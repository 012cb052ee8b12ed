import type { DnsRecord, PlannedRecord } from '../../../../typescript/src/namewright.ts';
import type { Paint } from '../../terminal/colors.ts';
import { printable } from '../../terminal/printable.ts';
import { contentOf } from './record-text.ts';

type AnyRecord = DnsRecord | PlannedRecord;

export interface RecordChanges {
  readonly added: readonly AnyRecord[];
  readonly changed: readonly { readonly before: AnyRecord; readonly after: AnyRecord }[];
  readonly removed: readonly AnyRecord[];
}

/** The same changes, seen from the other side. */
export function reversed({ added, changed, removed }: RecordChanges): RecordChanges {
  const back = changed.map(({ before, after }) => ({ before: after, after: before }));
  return { added: removed, changed: back, removed: added };
}

/** A line for each change: `+`, `~` with both values, `-`. */
export function changeLines({ added, changed, removed }: RecordChanges, paint: Paint): string[] {
  return [
    ...removed.map((record) => paint('red', `  - ${lineOf(record)}`)),
    ...changed.flatMap(({ before, after }) => [
      paint('yellow', `  ~ ${lineOf(before)}`),
      paint('yellow', `  → ${lineOf(after)}`),
    ]),
    ...added.map((record) => paint('green', `  + ${lineOf(record)}`)),
  ];
}

export function summaryOf({ added, changed, removed }: RecordChanges): string {
  return `${added.length} to add, ${changed.length} to change, ${removed.length} to remove`;
}

export function warningLines(warnings: readonly string[], paint: Paint): string[] {
  return warnings.map((warning) => paint('yellow', `  Warning: ${printable(warning)}`));
}

function lineOf(record: AnyRecord): string {
  const comment = record.comment === undefined ? '' : ` ; ${record.comment}`;
  return printable(`${record.name} ${record.ttl} ${record.type} ${contentOf(record)}${comment}`);
}
