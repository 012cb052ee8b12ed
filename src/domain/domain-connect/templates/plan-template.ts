import type { DnsRecord } from '../../dns/records/dns-record';
import { RecordConflict } from '../../dns/dns-errors';
import { groupedBy } from '../../shared/grouped-by';
import { ServiceError } from '../../shared/service-error';
import type { Task } from '../../shared/sorted';
import { dnameConflicts, findZoneRuleViolations, namesAbove } from '../../dns/zone-rules';
import {
  isReplacedBy,
  namesOf,
  recordsOfOtherGroups,
  type AppliedInstance,
  type InstanceSpf,
} from '../applied-instance';
import { excludes, takesPlaceOf } from '../conflict-rules';
import type { RecordMaking, ResolvedTemplate } from './resolve-template';
import { newSpfTerms } from '../spf-rules';
import { TemplateRejected } from './template-errors';
import { spfTermsAt, ZoneDraft } from '../zone-draft';

/** The records and the applied templates of a zone. */
export interface TemplateTarget {
  /** All records of the zone, or at least those that `namesToRead` names. */
  readonly records: readonly DnsRecord[];
  readonly instances: readonly AppliedInstance[];
}

/** What changes in a zone: records that go, and those that come. One that is in both changes its TTL at most. */
interface RecordsPlan {
  readonly superseded: readonly DnsRecord[];
  readonly wanted: readonly DnsRecord[];
}

export interface TemplatePlan extends RecordsPlan {
  /** What to remember of the template. */
  readonly instance: AppliedInstance;
  /** The same template on the same host, whose place it takes; records of groups that were not asked for stay. */
  readonly replaced: readonly AppliedInstance[];
  /** Other services that lose a record that they need, and so all of their records. */
  readonly disabled: readonly AppliedInstance[];
}

/** The names whose records a plan reads, and those below which it reads all records. */
export interface NamesToRead {
  readonly names: readonly string[];
  readonly below: readonly string[];
}

export function namesToRead(resolved: ResolvedTemplate, instances: readonly AppliedInstance[]): NamesToRead {
  const own = [...resolved.records, ...resolved.spf].map(({ record }) => record.name);
  const delegations = resolved.records.filter(({ record }) => record.type === 'NS');
  return {
    names: [...new Set([...own.flatMap((name) => [name, ...namesAbove(name)]), ...instances.flatMap(namesOf)])],
    below: [...new Set(delegations.map(({ record }) => record.name))],
  };
}

/**
 * Plans to apply a template, by the conflict rules and the template integrity of the draft. The plan breaks no rule of a zone.
 * @param id of the instance
 * @throws TemplateRejected (CONFLICT) whose issues name records of the template
 */
export function* planTemplate(
  resolved: ResolvedTemplate,
  { records, instances }: TemplateTarget,
  id: string,
  making: RecordMaking,
): Task<TemplatePlan> {
  assertStandTogether(resolved);
  const { template, host, zoneName, groups } = resolved;
  const zone = new ZoneDraft(records, zoneName, making);
  const replaced = instances.filter((each) => isReplacedBy(each, template, host));
  const others = instances.filter((each) => !replaced.includes(each));
  const ofOtherGroups = new Set(recordsOfOtherGroups(replaced, groups));
  const withoutThose = replaced.map((each) => ({
    ...each,
    records: each.records.filter((record) => !ofOtherGroups.has(record)),
  }));
  yield* zone.removeRecordsOf(withoutThose, others);
  const lost = yield* removeConflicts(resolved, zone);
  const disabled = others.filter((each) => losesEssential(each, lost));
  const remaining = others.filter((each) => !disabled.includes(each));
  yield* zone.removeRecordsOf(disabled, remaining);
  zone.addAll(resolved.records.map(({ record }) => record));
  // Terms of SPF records have no group: those of other applications stay.
  const [gone, staying] =
    groups.length === 0 ? [[...replaced, ...disabled], remaining] : [disabled, [...remaining, ...replaced]];
  const spf = changeSpf(resolved, zone, { gone, remaining: staying });
  yield* assertZoneRules(resolved, zone);
  const added = resolved.records.map(({ record, source }) => ({
    identity: zone.identityOf(record),
    name: record.name,
    type: record.type,
    essential: source.essential,
    ...(source.groupId !== undefined && { group: source.groupId }),
  }));
  const own = new Set(added.map(({ identity }) => identity));
  const instance = {
    id,
    providerId: template.providerId,
    serviceId: template.serviceId,
    host,
    records: [...[...ofOtherGroups].filter(({ identity }) => !lost.has(identity) && !own.has(identity)), ...added],
    spf: groups.length === 0 ? spf : joined([...replaced.flatMap((each) => each.spf), ...spf]),
  };
  return { superseded: zone.superseded, wanted: zone.wanted, instance, replaced, disabled };
}

/** Plans to remove what an applied template added. Records that were changed since, or that another one needs, stay. */
export function* planRemoval(
  zoneName: string,
  instance: AppliedInstance,
  { records, instances }: TemplateTarget,
  making: RecordMaking,
): Task<RecordsPlan> {
  const zone = new ZoneDraft(records, zoneName, making);
  const remaining = instances.filter((each) => each.id !== instance.id);
  yield* zone.removeRecordsOf([instance], remaining);
  for (const { name, terms } of instance.spf)
    zone.changeSpf(name, { add: [], drop: except(terms, spfTermsAt(remaining, name)) });
  return { superseded: zone.superseded, wanted: zone.wanted };
}

/** Returns the identities of the records whose place others take. One that stays with the same values is not among them. */
function* removeConflicts({ records, spf }: ResolvedTemplate, zone: ZoneDraft): Task<ReadonlySet<string>> {
  const kept = new Set(records.map(({ record }) => zone.identityOf(record)));
  const textOf = (txt: DnsRecord): string => zone.textOf(txt);
  const lost = new Set<string>();
  for (const resolved of [...records, ...spf])
    for (const present of yield* zone.near(resolved.record)) {
      yield;
      if (!takesPlaceOf(resolved, present, textOf)) continue;
      zone.remove(present);
      const identity = zone.identityOf(present);
      if (!kept.has(identity)) lost.add(identity);
    }
  return lost;
}

function losesEssential({ records }: AppliedInstance, lost: ReadonlySet<string>): boolean {
  return records.some(({ essential, identity }) => essential === 'Always' && lost.has(identity));
}

interface Instances {
  readonly gone: readonly AppliedInstance[];
  readonly remaining: readonly AppliedInstance[];
}

/** Returns the terms that the template is the reason for; those that the user wrote before stay when it is removed. */
function changeSpf({ spf }: ResolvedTemplate, zone: ZoneDraft, { gone, remaining }: Instances): readonly InstanceSpf[] {
  const names = new Set(
    [...spf.map(({ record }) => record), ...gone.flatMap((each) => each.spf)].map(({ name }) => name),
  );
  return [...names].flatMap((name) => {
    const added = spf.filter(({ record }) => record.name === name);
    const add = added.flatMap(({ terms }) => terms);
    const ofTemplates = new Set(spfTermsAt([...gone, ...remaining], name));
    const drop = except(spfTermsAt(gone, name), [...spfTermsAt(remaining, name), ...add]);
    const missing = new Set(newSpfTerms(add, zone.spfAt(name)));
    const terms = [...new Set(add)].filter((term) => ofTemplates.has(term) || missing.has(term));
    const end = added.find((each) => each.end !== undefined)?.end;
    try {
      zone.changeSpf(name, { add, drop, end }, added[0]?.ttl);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const path = added[0] ? `${added[0].place}.${added[0].source.dataField}` : 'records';
      throw TemplateRejected.at(
        'INVALID_RECORD',
        path,
        `makes an invalid SPF record: ${error.details ?? error.message}`,
      );
    }
    return added.length === 0 ? [] : [{ name, terms }];
  });
}

/** One for each name. */
function joined(all: readonly InstanceSpf[]): readonly InstanceSpf[] {
  return [...groupedBy(all, ({ name }) => name)].map(([name, some]) => ({
    name,
    terms: [...new Set(some.flatMap(({ terms }) => terms))],
  }));
}

function except(terms: readonly string[], others: readonly string[]): readonly string[] {
  const kept = new Set(others);
  return terms.filter((term) => !kept.has(term));
}

/** A delegation cannot stand beside other records of the same template; zone rules know only other conflicts. */
function assertStandTogether({ records, spf }: ResolvedTemplate): void {
  const all = [...records, ...spf];
  const found = all.flatMap(({ place, record }, index) => {
    const other = all.slice(0, index).find((before) => excludes(record, before.record));
    return other
      ? [{ path: place, message: `(${titleOf(record)}) cannot stand beside ${other.place} (${titleOf(other.record)})` }]
      : [];
  });
  if (found.length > 0) throw new TemplateRejected('CONFLICT', found);
}

function* assertZoneRules(resolved: ResolvedTemplate, zone: ZoneDraft): Task<void> {
  const changed = new Set(zone.wanted.map(({ id }) => id));
  const names = new Set(zone.wanted.map(({ name }) => name));
  const atNames = zone.recordsAt(names);
  const nearby = zone.recordsAt(new Set([...names].flatMap((name) => [name, ...namesAbove(name)])));
  const violations = [...(yield* findZoneRuleViolations(atNames, changed)), ...dnameConflicts(nearby, changed)];
  // Limits depend on the installation: the zone checks them.
  const conflicts = violations.filter((each) => each instanceof RecordConflict);
  if (conflicts.length === 0) return;
  throw new TemplateRejected(
    'CONFLICT',
    conflicts.map((conflict) => {
      const place = placeOf(resolved, zone, conflict.recordId);
      return { path: place, message: `cannot be added: ${conflict.details ?? conflict.message}` };
    }),
  );
}

function placeOf({ records, spf }: ResolvedTemplate, zone: ZoneDraft, recordId: string): string {
  const name = zone.wanted.find(({ id }) => id === recordId)?.name;
  return (
    (records.find(({ record }) => record.id === recordId) ?? spf.find(({ record }) => record.name === name))?.place ??
    'records'
  );
}

function titleOf({ type, name }: DnsRecord): string {
  return `${type} ${name}`;
}
