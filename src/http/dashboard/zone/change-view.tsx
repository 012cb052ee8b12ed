import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { RecordTouched } from '../../../application/ports/dns/zone-repository';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { FoldedText, isFolded } from '../layout/folded-text';
import { formatNotes } from '../../../domain/dns/zone-file/notes-in-comments';

const MAX_RECORDS = 200;

/** The changed records of a zone: one line for each removed and each added record. */
export function ChangeView({
  changes,
  most = MAX_RECORDS,
}: {
  readonly changes: readonly RecordTouched[];
  readonly most?: number;
}) {
  if (changes.length === 0) return <p>No records changed.</p>;
  const lines = changes.slice(0, most).map(({ before, after }) => ({
    before: before && formatLine(before),
    after: after && formatLine(after),
  }));
  return (
    <>
      <ChangedLines lines={lines} />
      {changes.length > most && <p class="small">And {changes.length - most} more.</p>}
    </>
  );
}

interface ChangedLine {
  readonly before: string | null;
  readonly after: string | null;
}

export function ChangedLines({ lines }: { readonly lines: readonly ChangedLine[] }) {
  return (
    <ul class="changes">
      {lines.map(({ before, after }, index) => (
        <li key={index}>
          {before !== null && (
            <del>
              <span class="visually-hidden">removed: </span>
              {isFolded(before) ? <FoldedText text={before} /> : before}
            </del>
          )}
          {after !== null && (
            <ins>
              <span class="visually-hidden">added: </span>
              {isFolded(after) ? <FoldedText text={after} /> : after}
            </ins>
          )}
        </li>
      ))}
    </ul>
  );
}

export function listChangedRecords({ added, changed, removed }: ZoneChange): readonly RecordTouched[] {
  return [
    ...removed.map((record) => ({ before: record.toState(), after: null })),
    ...changed.map(({ before, after }) => ({ before: before.toState(), after: after.toState() })),
    ...added.map((record) => ({ before: null, after: record.toState() })),
  ];
}

/** The record as a line of a zone file. */
export function formatLine(state: DnsRecordState): string {
  const data = state.written ?? DnsRecord.fromState(state).rdata();
  return `${state.name} ${state.ttl} ${state.type} ${data}${formatNotes(state)}`;
}
