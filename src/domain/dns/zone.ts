import type { HostedName } from './hosted-name';
import type { DnsRecord } from './records/dns-record';
import { ROOT } from './records/record-name';
import { includesType } from './records/types/record-types';
import { changesNothing, serialAfter, writtenRecords, type ZoneChange } from './zone-change';
import {
  dnameConflicts,
  exceededSize,
  findZoneRuleViolations,
  namesAbove,
  type Violations,
  type ZoneLimits,
} from './zone-rules';

/** What a zone is without its records. */
export interface ZoneHead {
  /** The id of its name. */
  readonly domainId: string;
  /** Rises by one with every change of its records or its delegation. */
  readonly version: number;
  /**
   * The SOA serial without its wrap-around: rises with the version unless only comments change, and also with changes of what the
   * service derives from the records.
   */
  readonly serial: number;
  readonly recordCount: number;
  /** Whose records a desired state lists: a program's name in `managedBy`, or '' for the whole zone. Absent: no state does. */
  readonly stateOwner?: string;
}

/**
 * A zone with the records that its changes touch: those at the names that were loaded, as the changes leave them. A change that the
 * rules of a zone allow raises the version by one, and the serial if it changes what is served.
 */
export class Zone {
  /** As before all changes, by owner name. */
  private readonly loaded = new Map<string, DnsRecord[]>();
  /** As the changes leave them, by id; null if removed. */
  private readonly touched = new Map<string, DnsRecord | null>();

  constructor(
    readonly owner: HostedName,
    private current: ZoneHead,
    private readonly limits: ZoneLimits,
  ) {}

  get head(): ZoneHead {
    return this.current;
  }

  get isUnchanged(): boolean {
    return this.touched.size === 0;
  }

  /** The records before all changes at the names that were loaded, by name. */
  get before(): ReadonlyMap<string, readonly DnsRecord[]> {
    return this.loaded;
  }

  /** Those of `names` whose records are not loaded. */
  missing(names: Iterable<string>): readonly string[] {
    return [...names].filter((name) => !this.loaded.has(name));
  }

  /** @param records all that are stored at `names` */
  load(names: Iterable<string>, records: readonly DnsRecord[]): void {
    for (const name of names) this.loaded.set(name, []);
    for (const record of records) this.loaded.get(record.name)?.push(record);
  }

  /** As the changes left it: null if one removed it, undefined if none touched it. */
  touchedRecord(id: string): DnsRecord | null | undefined {
    return this.touched.get(id);
  }

  /** Needs `names` loaded. */
  recordsAt(names: readonly string[]): readonly DnsRecord[] {
    const stored = names.flatMap((name) => this.loaded.get(name) ?? []);
    if (this.isUnchanged) return stored;
    const wanted = new Set(names);
    const touched = [...this.touched.values()].filter((record) => record !== null);
    return [...stored.filter(({ id }) => !this.touched.has(id)), ...touched.filter(({ name }) => wanted.has(name))];
  }

  /** The owner names at which a change can break a rule, and those above if the zone can have a DNAME there. */
  namesChecked(change: ZoneChange): readonly string[] {
    const names = [...writtenRecords(change), ...delegationsRemoved(change)].map(({ name }) => name);
    const allowsDname = includesType(this.limits.types, 'DNAME');
    return [...new Set(allowsDname ? names.flatMap((name) => [name, ...namesAbove(name)]) : names)];
  }

  /** The names of changed records below one of `owners`. */
  namesTouchedBelow(owners: readonly string[]): readonly string[] {
    const names = [...this.touched.values()].map((record) => record?.name ?? ROOT);
    return names.filter((name) => namesAbove(name).some((above) => owners.includes(above)));
  }

  /**
   * Applies a change, or returns which rules it would break. Needs the records at `namesChecked` loaded, and those at `below`.
   * @param below the names below those of DNAME records that the change writes
   */
  *apply(change: ZoneChange, below: readonly string[]): Violations {
    const violations = yield* this.violations(change, below);
    if (violations.length === 0) this.take(change);
    return violations;
  }

  private *violations(change: ZoneChange, below: readonly string[]): Violations {
    const written = writtenRecords(change);
    const delegations = delegationsRemoved(change);
    if (written.length + delegations.length === 0) return [];
    const { recordCount } = this.current;
    const tooLarge = exceededSize({ before: recordCount, after: countAfter(recordCount, change) }, this.limits);
    if (tooLarge) return [tooLarge];
    const stored = this.recordsAt([...new Set([...this.namesChecked(change), ...below])]);
    const replaced = new Set([...written, ...change.removed].map(({ id }) => id));
    const kept = stored.filter(({ id }) => !replaced.has(id));
    const writtenIds = new Set(written.map(({ id }) => id));
    const names = new Set([...written, ...delegations].map(({ name }) => name));
    const after = [...kept.filter(({ name }) => names.has(name)), ...written];
    const found = yield* findZoneRuleViolations(after, writtenIds, this.limits);
    return [...found, ...dnameConflicts([...kept, ...written], writtenIds)];
  }

  private take(change: ZoneChange): void {
    if (changesNothing(change)) return;
    for (const { id } of change.removed) this.touched.set(id, null);
    for (const record of writtenRecords(change)) this.touched.set(record.id, record);
    const { version, serial, recordCount } = this.current;
    this.current = {
      ...this.current,
      version: version + 1,
      serial: serialAfter(serial, change),
      recordCount: countAfter(recordCount, change),
    };
  }
}

/** Below these names, no record may exist. */
export function writtenDnameOwners(change: ZoneChange): readonly string[] {
  return writtenRecords(change)
    .filter(({ type }) => type === 'DNAME')
    .map(({ name }) => name);
}

/** Without its NS records, a name cannot have DS records. */
function delegationsRemoved({ changed, removed }: ZoneChange): readonly DnsRecord[] {
  return [...removed, ...changed.map(({ before }) => before)].filter(({ type }) => type === 'NS');
}

function countAfter(before: number, { added, removed }: ZoneChange): number {
  return before + added.length - removed.length;
}
