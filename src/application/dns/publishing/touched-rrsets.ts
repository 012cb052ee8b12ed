import type { RrsetChange } from '../../ports/dns/publishing';
import type { RecordTouched } from '../../ports/dns/zone-repository';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { groupedBy } from '../../../domain/shared/grouped-by';

/** Collects the records that the changes of a zone touched, to compare the RRsets before the first of them with the present ones. */
export class TouchedRrsets {
  /** The state of each touched record before the first change, by its id; null if it did not exist. */
  private readonly before = new Map<string, DnsRecordState | null>();
  private readonly keys = new Map<string, Pick<RrsetChange, 'name' | 'type'>>();

  /** In the order of the changes, oldest first. */
  add({ before, after }: RecordTouched): void {
    const id = before?.id ?? after?.id ?? '';
    if (!this.before.has(id)) this.before.set(id, before);
    for (const record of [before, after]) if (record) this.keys.set(keyOf(record), record);
  }

  /** The owner names of the touched records, possibly repeated. */
  get names(): readonly string[] {
    return [...this.keys.values()].map(({ name }) => name);
  }

  /** Also returns RRsets at touched names that did not change. @param present all present records at `names`, and possibly others */
  compare(present: readonly DnsRecordState[]): readonly RrsetChange[] {
    const untouched = present.filter(({ id }) => !this.before.has(id));
    const former = [...this.before.values()].filter((record) => record !== null);
    const [before, after] = [groupedBy([...untouched, ...former], keyOf), groupedBy(present, keyOf)];
    const keys = new Map([...this.keys, ...present.map((record) => [keyOf(record), record] as const)]);
    return [...keys].map(([key, { name, type }]) => ({
      name,
      type,
      before: before.get(key) ?? [],
      after: after.get(key) ?? [],
    }));
  }
}

function keyOf({ name, type }: Pick<DnsRecordState, 'name' | 'type'>): string {
  return `${name} ${type}`;
}
