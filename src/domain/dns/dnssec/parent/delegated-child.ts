import type { DsRecord } from '../../delegation/ds-record';
import { DnsRecord } from '../../records/dns-record';
import { dsContent, readDsRecord } from '../../delegation/sub-zone';
import type { ZoneChange } from '../../zone-change';
import { notifyTarget } from './notify-discovery';

/** Signers date signatures back by about an hour, so that clocks that are late accept them. */
const DATED_BACK_SECONDS = 2 * 60 * 60;

/** The names below which the zone above can have the DSYNC record of a child, the closest first. */
export function dsyncNames(owner: string): readonly string[] {
  const labels = owner.split('.');
  const wildcards = labels.map((_label, index) => ['*', ...labels.slice(index + 1), '_dsync'].join('.'));
  return [`${owner}._dsync`, ...wildcards, '_dsync'];
}

/** A delegation in a zone here, to a zone that asks for its DS records itself (RFC 7344). */
export class DelegatedChild {
  private constructor(
    private readonly owner: string,
    private readonly ns: readonly DnsRecord[],
    private readonly ds: readonly DnsRecord[],
  ) {}

  /**
   * Undefined unless the zone above delegates the name, has DS records for it, which prove what the child asks for, and says with a
   * DSYNC record that it takes NOTIFY(CDS). @param records of the zone above at the name and at its `dsyncNames`
   */
  static among(owner: string, records: readonly DnsRecord[]): DelegatedChild | undefined {
    const at = (name: string, type: string) => records.filter((each) => each.name === name && each.type === type);
    const [ns, ds] = [at(owner, 'NS'), at(owner, 'DS')];
    const dsync = dsyncNames(owner)
      .map((name) => at(name, 'DSYNC'))
      .find((found) => found.length > 0);
    const target = notifyTarget((dsync ?? []).map(contentOf), 'CDS');
    return ns.length > 0 && ds.length > 0 && target ? new DelegatedChild(owner, ns, ds) : undefined;
  }

  get nameservers(): readonly string[] {
    return this.ns.map((each) => contentOf(each).replace(/\.$/, ''));
  }

  get dsRecords(): readonly DsRecord[] {
    return this.ds.map((each) => readDsRecord(each.toState()));
  }

  /** Older signatures are of a former state of the child, from before its DS records were set. Seconds since 1970. */
  get notBefore(): number {
    const newest = Math.max(...this.ds.map((each) => each.toState().createdAt.getTime()));
    return Math.floor(newest / 1_000) - DATED_BACK_SECONDS;
  }

  isSame(other: DelegatedChild): boolean {
    return identities([...this.ns, ...this.ds]) === identities([...other.ns, ...other.ds]);
  }

  /** New DS records take over the TTL and the notes of the former ones. */
  replaceDs(wanted: readonly DsRecord[], zoneName: string, newId: () => string, now: Date): ZoneChange {
    const [former] = this.ds;
    const { ttl, managedBy = null, comment = null } = former?.toState() ?? {};
    const added = wanted.map((each) =>
      DnsRecord.create(
        { type: 'DS', name: this.owner, content: dsContent(each), ttl, managedBy, comment },
        zoneName,
        newId(),
        now,
        ['DS'],
      ),
    );
    const [known, stays] = [this.ds, added].map((records) => new Set(records.map((each) => each.identity())));
    return {
      added: added.filter((each) => !known?.has(each.identity())),
      changed: [],
      removed: this.ds.filter((each) => !stays?.has(each.identity())),
    };
  }
}

function contentOf(record: DnsRecord): string {
  return record.toState().content;
}

function identities(records: readonly DnsRecord[]): string {
  return records
    .map((each) => each.identity())
    .toSorted()
    .join('\n');
}
