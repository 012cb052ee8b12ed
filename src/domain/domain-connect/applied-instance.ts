import type { DnsRecord } from '../dns/records/dns-record';
import type { RecordType } from '../dns/records/types/record-types';
import type { Essential, Template } from './templates/template';

/** A record that a template added. It is known by its values, so that it counts as removed once a value differs. */
export interface InstanceRecord {
  /** As `DnsRecord.identity`. */
  readonly identity: string;
  readonly name: string;
  readonly type: RecordType;
  readonly essential: Essential;
  /** Of the template, if the record belongs to one. */
  readonly group?: string;
}

/** The terms that a template added to the SPF record of a name. Others may change or remove that record. */
export interface InstanceSpf {
  readonly name: string;
  readonly terms: readonly string[];
}

/** A template as it was applied to a host. */
export interface AppliedInstance {
  readonly id: string;
  readonly providerId: string;
  readonly serviceId: string;
  /** Relative to the zone; `@` for the apex. */
  readonly host: string;
  readonly records: readonly InstanceRecord[];
  readonly spf: readonly InstanceSpf[];
}

/** The names at which an instance has records. */
export function namesOf({ records, spf }: AppliedInstance): readonly string[] {
  return [...new Set([...records, ...spf].map(({ name }) => name))];
}

/** Those without which the service cannot work and that the zone no longer has. @param present all records at `namesOf` */
export function missingRecords({ records }: AppliedInstance, present: readonly DnsRecord[]): readonly InstanceRecord[] {
  const identities = new Set(present.map((record) => record.identity()));
  return records.filter(({ essential, identity }) => essential === 'Always' && !identities.has(identity));
}

/** Whether applying a template again takes the place of the instance. */
export function isReplacedBy(instance: AppliedInstance, template: Template, host: string): boolean {
  return (
    !template.multiInstance &&
    instance.providerId === template.providerId &&
    instance.serviceId === template.serviceId &&
    instance.host === host
  );
}

/** What stays when a template is applied again for some of its groups only (the draft, section 10.3.1). */
export function recordsOfOtherGroups(
  instances: readonly AppliedInstance[],
  groups: readonly string[],
): readonly InstanceRecord[] {
  if (groups.length === 0) return [];
  return instances
    .flatMap(({ records }) => records)
    .filter(({ group }) => group !== undefined && !groups.includes(group));
}
