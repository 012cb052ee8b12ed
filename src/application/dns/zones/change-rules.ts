import { approvalRulesOf, type Actor, type Requester } from '../../../domain/access/actor';
import { recordsNeedApproval } from '../../../domain/access/approvals/approval-rule';
import {
  assertMayDelegate,
  assertRecordsAllowed,
  maySeeRecord,
  seesSomeRecords,
} from '../../../domain/access/key-permissions';
import { ItemsRejected, RecordConflict, type ItemError } from '../../../domain/dns/dns-errors';
import type { ZoneHead } from '../../../domain/dns/zone';
import type { HostedName } from '../../../domain/dns/hosted-name';
import { writtenRecords, type ZoneChange } from '../../../domain/dns/zone-change';
import { isOfSigner, type Violation } from '../../../domain/dns/zone-rules';
import { ApprovalNeeded } from '../../access/approvals/approval-needed';
import type { ZoneReader } from '../../ports/dns/zone-repository';
import { runCooperatively } from '../../shared/run-cooperatively';
import type { ZoneDecision } from './zone-request';

/** @throws LimitedKey if the actor's key may not change one of the records */
export function assertWithinLimits(actor: Actor, change: ZoneChange): void {
  if (!seesSomeRecords(actor)) return;
  assertRecordsAllowed(actor, change.added);
  assertRecordsAllowed(actor, change.removed);
  for (const { before, after } of change.changed) assertRecordsAllowed(actor, [before, after]);
  for (const record of writtenRecords(change)) assertMayDelegate(actor, record);
}

/** @param ptrs the changes of reverse zones that it takes along @throws ApprovalNeeded for all of it */
export async function assertRecordsNeedNoApproval(
  { accountId, actor, domainId }: Requester & { readonly domainId: string },
  name: Pick<HostedName, 'tags'>,
  { version, change }: { readonly version: number; readonly change: ZoneChange },
  ptrs: readonly ChangeOfName[] = [],
): Promise<void> {
  const rules = approvalRulesOf(actor);
  if (rules.length === 0) return;
  for (const records of [{ name, change }, ...ptrs].map(touchedRecords))
    if (await runCooperatively(recordsNeedApproval(rules, records), accountId))
      throw new ApprovalNeeded('records', { kind: 'records', domainId, version, change });
}

interface ChangeOfName {
  readonly name: Pick<HostedName, 'tags'>;
  readonly change: ZoneChange;
}

function touchedRecords({ name: { tags }, change: { added, changed, removed } }: ChangeOfName) {
  return { tags, records: [...added, ...removed, ...changed.flatMap(({ before, after }) => [before, after])] };
}

/** @throws ItemsRejected, RecordConflict */
export async function assertNotOfService(
  reader: Pick<ZoneReader, 'isSigned'>,
  { domainId }: ZoneHead,
  { change, placeOf }: Pick<ZoneDecision<unknown>, 'change' | 'placeOf'>,
  actor: Actor,
): Promise<void> {
  const records = writtenRecords(change).filter(isOfSigner);
  if (records.length === 0 || !(await reader.isSigned(domainId))) return;
  throwFirst(
    records.map(
      ({ id }) =>
        new RecordConflict(
          id,
          'While DNSSEC is on, the service publishes the DNSKEY, CDS and CDNSKEY records at the apex',
        ),
    ),
    actor,
    placeOf,
  );
}

/** @throws ItemsRejected if the request names several records, otherwise the first violation */
export function throwFirst(
  violations: readonly Violation[],
  actor: Actor,
  placeOf: ZoneDecision<unknown>['placeOf'] = () => undefined,
): void {
  const visible = violations.map((each) => withoutHidden(each, actor));
  const placed = visible.flatMap((error): ItemError[] => {
    const place = error.recordId === undefined ? undefined : placeOf(error.recordId);
    return place === undefined ? [] : [{ place, error: withPlaces(error, placeOf) }];
  });
  const [first, ...others] = placed;
  if (first) throw new ItemsRejected([first, ...others]);
  if (visible[0]) throw visible[0];
}

/** Does not name the conflicting record if the actor's key may not see it. */
function withoutHidden(error: Violation, actor: Actor): Violation {
  if (!(error instanceof RecordConflict) || !error.conflicting || maySeeRecord(actor, error.conflicting.record))
    return error;
  return new RecordConflict(error.recordId, `A record that the key may not see conflicts: ${error.conflicting.reason}`);
}

function withPlaces(error: Violation, placeOf: NonNullable<ZoneDecision<unknown>['placeOf']>): Violation {
  if (!(error instanceof RecordConflict) || !error.conflicting) return error;
  return RecordConflict.with(error.recordId, error.conflicting, placeOf(error.conflicting.record.id));
}
