import { DnsRecord } from '../records/dns-record';
import { ALL_TYPES, type WritableType } from '../records/types/record-types';
import { ROOT } from '../records/record-name';
import type { RecordDraft } from '../records/dns-record';
import { ServiceError } from '../../shared/service-error';
import type { InvalidUpdate, Prerequisite, PrerequisiteFailure, UpdateMessage } from './update-message';

/** What a zone has at some names, with the delegation that the NS set at the apex repeats. */
export interface ZoneContent {
  readonly zoneName: string;
  readonly delegation: readonly string[];
  /** The record types that may be written. */
  readonly types: readonly WritableType[];
  readonly recordsAt: (name: string) => readonly DnsRecord[];
}

/** The first prerequisite that is invalid or that the zone does not meet (RFC 2136, section 3.2). Undefined if it meets all. */
export function failedPrerequisite(
  { prerequisites, invalid }: UpdateMessage,
  zone: ZoneContent,
): PrerequisiteFailure | InvalidUpdate | undefined {
  for (const prerequisite of prerequisites) {
    const failure = FAILURES[prerequisite.kind](prerequisite, zone);
    if (failure) return failure;
  }
  return invalid?.section === 'prerequisites' ? invalid.outcome : failedSet(prerequisites, zone);
}

const FAILURES: Record<
  Prerequisite['kind'],
  (prerequisite: Prerequisite, zone: ZoneContent) => PrerequisiteFailure | undefined
> = {
  name_in_use: ({ name }, zone) => (isInUse(name, zone) ? undefined : 'NXDOMAIN'),
  name_not_in_use: ({ name }, zone) => (isInUse(name, zone) ? 'YXDOMAIN' : undefined),
  set_exists: (prerequisite, zone) => (hasSet(prerequisite, zone) ? undefined : 'NXRRSET'),
  set_absent: (prerequisite, zone) => (hasSet(prerequisite, zone) ? 'YXRRSET' : undefined),
  set_equals: () => undefined,
};

/** Sets are compared as a whole, after the other prerequisites. TTLs do not count. */
function failedSet(prerequisites: readonly Prerequisite[], zone: ZoneContent): PrerequisiteFailure | undefined {
  const sets = new Map<string, { name: string; type: string; wanted: Set<string | undefined> }>();
  for (const prerequisite of prerequisites) {
    if (prerequisite.kind !== 'set_equals') continue;
    const { name, type, record } = prerequisite;
    const set = sets.get(`${name} ${type}`) ?? { name, type, wanted: new Set() };
    set.wanted.add(identityOf(record, zone.zoneName));
    sets.set(`${name} ${type}`, set);
  }
  for (const { name, type, wanted } of sets.values()) {
    const present = setAt(name, type, zone);
    if (present.size !== wanted.size || ![...wanted].every((each) => each !== undefined && present.has(each)))
      return 'NXRRSET';
  }
  return undefined;
}

/** The identity of a record, whatever its TTL. Undefined for data that no record here can have. */
export function identityOf(draft: RecordDraft | undefined, zoneName: string): string | undefined {
  if (!draft) return undefined;
  try {
    return DnsRecord.create({ ...draft, ttl: undefined }, zoneName, '', new Date(0), ALL_TYPES).identity();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function isInUse(name: string, { recordsAt }: ZoneContent): boolean {
  return name === ROOT || recordsAt(name).length > 0;
}

function hasSet(prerequisite: Prerequisite, zone: ZoneContent): boolean {
  if (!('type' in prerequisite)) return false;
  const { name, type } = prerequisite;
  return (name === ROOT && type === 'SOA') || setAt(name, type, zone).size > 0;
}

function setAt(name: string, type: string, zone: ZoneContent): ReadonlySet<string> {
  const identities = zone
    .recordsAt(name)
    .filter((record) => record.type === type)
    .map((record) => record.identity());
  return new Set([...identities, ...(name === ROOT && type === 'NS' ? delegatedIdentities(zone) : [])]);
}

/** Those of the NS records at the apex that repeat the delegation. */
export function delegatedIdentities({ delegation, zoneName }: ZoneContent): ReadonlySet<string> {
  return new Set(delegation.flatMap((host) => identityOf({ type: 'NS', name: ROOT, content: host }, zoneName) ?? []));
}
