import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { RecordTouched } from '../../../application/ports/dns/zone-history';
import type { ZoneChange } from '../../../application/ports/dns/zone-repository';

const MOST = 200;

/** What a change does to a zone, a line for each record that comes and each that goes. */
export function ChangeView({ touched }: { readonly touched: readonly RecordTouched[] }) {
  if (touched.length === 0) return <p>No record is touched.</p>;
  return (
    <>
      <ul class="changes">
        {touched.slice(0, MOST).map(({ before, after }, index) => (
          <li key={index}>
            {before && (
              <del>
                <span class="unseen">removed: </span>
                {lineOf(before)}
              </del>
            )}
            {after && (
              <ins>
                <span class="unseen">added: </span>
                {lineOf(after)}
              </ins>
            )}
          </li>
        ))}
      </ul>
      {touched.length > MOST && <p class="small">And {touched.length - MOST} more.</p>}
    </>
  );
}

export function touchedBy({ added, changed, removed }: ZoneChange): readonly RecordTouched[] {
  return [
    ...removed.map((record) => ({ before: record.toState(), after: null })),
    ...changed.map(({ before, after }) => ({ before: before.toState(), after: after.toState() })),
    ...added.map((record) => ({ before: null, after: record.toState() })),
  ];
}

/** As a zone file has it. */
function lineOf(state: DnsRecordState): string {
  return `${state.name} ${state.ttl} ${state.type} ${DnsRecord.fromState(state).rdata()}`;
}
