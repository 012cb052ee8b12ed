import { DnsRecord } from '../../../domain/dns/records/dns-record';
import { PTR_KEEPER } from '../../../domain/dns/records/ptr-wish';
import { fullOwnerName, ROOT } from '../../../domain/dns/records/record-name';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { namesAbove } from '../../../domain/dns/zone-rules';
import type { KeptPtr, PtrChanges } from '../../../domain/dns/records/ptr-changes';
import { ptrNameIn } from '../../../domain/dns/zone-names/ptr-place';
import type { Clock, IdGenerator } from '../../ports/system';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { runCooperatively, type CooperativeTask } from '../../shared/run-cooperatively';
import type { CurrentZone } from './zone-loader';
import type { Decide, ZoneDecision } from './zone-request';

/**
 * Removes the records that the service kept, and adds the new ones. What someone set by hand stays, and so does what someone changed.
 * An address of several names has several PTR records. The result tells which records could not be added.
 */
export function decidePtrs(ptrs: PtrChanges, ids: IdGenerator, clock: Clock): Decide<readonly string[]> {
  return async (zone) => {
    const names = await runCooperatively(namesRead(ptrs, zone.zoneName), zone.accountId);
    const stored = await zone.recordsAt([...names]);
    return runCooperatively(
      decide(
        ptrs,
        zone,
        groupedBy(stored, ({ name }) => name),
        ids,
        clock.now(),
      ),
      zone.accountId,
    );
  };
}

/** Their owner names, and those above, at which a delegation can be. */
function* namesRead({ removed, added }: PtrChanges, zoneName: string): CooperativeTask<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { address } of [...removed, ...added]) {
    yield;
    const name = ptrNameIn(address, zoneName);
    for (const each of [name, ...namesAbove(name)]) names.add(each);
  }
  return names;
}

function* decide(
  { removed, added }: PtrChanges,
  { zoneName, types }: Pick<CurrentZone, 'zoneName' | 'types'>,
  stored: ReadonlyMap<string, readonly DnsRecord[]>,
  ids: IdGenerator,
  now: Date,
): CooperativeTask<ZoneDecision<readonly string[]>> {
  const at = (name: string): readonly DnsRecord[] => stored.get(name) ?? [];
  const superfluous = new Set<DnsRecord>();
  for (const ptr of removed) {
    yield;
    for (const record of at(ptrNameIn(ptr.address, zoneName)))
      if (isKept(record) && leadsTo(record, ptr)) superfluous.add(record);
  }
  const change = { added: [] as DnsRecord[], changed: [] as ZoneChange['changed'][number][] };
  const warnings: string[] = [];
  for (const ptr of added) {
    yield;
    const name = ptrNameIn(ptr.address, zoneName);
    const present = at(name).filter((record) => !superfluous.has(record));
    if (present.some((record) => leadsTo(record, ptr))) continue;
    const obstacle = [...present, ...namesAbove(name).flatMap(at)]
      .map((record) => obstacleOf(record, name))
      .find((each) => each !== undefined);
    if (obstacle !== undefined) {
      warnings.push(ptrWarning(ptr, `${fullOwnerName(name, zoneName)} ${obstacle}`));
      continue;
    }
    const draft = { type: 'PTR', name, content: contentOf(ptr), ttl: ptr.ttl, managedBy: PTR_KEEPER };
    const before = at(name).find((record) => superfluous.delete(record));
    if (before) {
      const after = before.copy();
      after.change(draft, zoneName, now, types);
      change.changed.push({ before, after });
    } else change.added.push(DnsRecord.create(draft, zoneName, ids.next('rec'), now, types));
  }
  return { change: { ...change, removed: [...superfluous] }, result: warnings };
}

export function ptrWarning({ address, target }: KeptPtr, reason: string): string {
  return `No PTR record leads from ${address} to ${target}: ${reason}`;
}

/** Why a record at a name or above it leaves no place for a PTR record of the service there; undefined if it does. */
function obstacleOf(record: DnsRecord, name: string): string | undefined {
  const { type, content, name: owner } = record.toState();
  if (type === 'NS') return owner === ROOT ? undefined : 'is delegated to other nameservers';
  if (owner !== name) return type === 'DNAME' ? 'is below a DNAME record' : undefined;
  if (type === 'CNAME') return `has a CNAME record to ${content}`;
  return type === 'PTR' && !isKept(record) ? `has a PTR record that someone set to ${content}, which stays` : undefined;
}

function isKept(record: DnsRecord): boolean {
  return record.type === 'PTR' && record.toState().managedBy === PTR_KEEPER;
}

function leadsTo(record: DnsRecord, ptr: KeptPtr): boolean {
  return record.type === 'PTR' && record.toState().content === contentOf(ptr);
}

function contentOf({ target }: KeptPtr): string {
  return `${target}.`;
}
