import { withDiscovery } from '../../../../domain/dns/discovery';
import { publishedRrsets } from '../../../../domain/dns/records/published-rrsets';
import type { NamedRrset } from '../../../../domain/dns/dnssec/signed-content';
import type { DnsRecord } from '../../../../domain/dns/records/dns-record';
import { ROOT } from '../../../../domain/dns/records/record-name';
import { groupedBy } from '../../../../domain/shared/grouped-by';
import type { SignedZoneState } from '../../../ports/dns/signing-repository';
import type { ZoneReader } from '../../../ports/dns/zone-repository';
import type { ZoneChange } from '../../../../domain/dns/zone-change';
import { yieldBetween } from '../../../shared/run-cooperatively';
import type { PlanReader } from './stored-rows';
import { touchedNames } from './touched-names';

const NAMES_PER_SLICE = 100;

interface ChangedZoneReaders {
  readonly before: PlanReader;
  readonly zones: Pick<ZoneReader, 'recordsAt'>;
  /** The records at some names, which then are not read. */
  readonly stored?: ReadonlyMap<string, readonly DnsRecord[]>;
}

/** Reads a zone as it will be after changes of its records that are not written yet. */
export class UncommittedZone implements PlanReader {
  private constructor(
    private readonly before: PlanReader,
    /** The records at the names of the changes, as they leave them. */
    private readonly records: ReadonlyMap<string, readonly DnsRecord[]>,
  ) {}

  /** Undefined if what the changes lead to is not known before they are written: at the names of ALIAS records. */
  static async read(
    { before, zones, stored = new Map() }: ChangedZoneReaders,
    domainId: string,
    changes: readonly ZoneChange[],
  ): Promise<UncommittedZone | undefined> {
    const names = [...touchedNames(changes).names];
    const missing = names.filter((name) => !stored.has(name));
    const read =
      missing.length > 0 ? ((await zones.recordsAt([{ domainId, names: missing }])).get(domainId) ?? []) : [];
    const found = [...names.flatMap((name) => stored.get(name) ?? []), ...read];
    if (found.some(isAlias) || changes.some(hasAlias)) return undefined;
    const after = new Map(found.map((record) => [record.id, record]));
    for (const { added, changed, removed } of changes) {
      for (const { id } of removed) after.delete(id);
      for (const record of [...changed.map((each) => each.after), ...added]) after.set(record.id, record);
    }
    const records = groupedBy(after.values(), ({ name }) => name);
    return new UncommittedZone(before, new Map(names.map((name) => [name, records.get(name) ?? []])));
  }

  async rrsetsAt(zone: SignedZoneState, names: readonly string[]): Promise<ReadonlyMap<string, readonly NamedRrset[]>> {
    const untouched = names.filter((name) => !this.records.has(name));
    const rrsets = new Map(await this.before.rrsetsAt(zone, untouched));
    const touched = names.filter((name) => this.records.has(name));
    for await (const some of yieldBetween(slicesOf(touched))) {
      const records = some.flatMap((name) => this.records.get(name) ?? []);
      const published = publishedRrsets(
        zone,
        records.map((record) => record.toState()),
      );
      for (const [name, sets] of published) if (name !== ROOT || some.includes(ROOT)) rrsets.set(name, sets);
    }
    return withDiscovery(zone, touched, rrsets);
  }

  async readNames(domainId: string, below?: string): Promise<readonly string[]> {
    const names = await this.before.readNames(domainId, below);
    const isWanted = (name: string): boolean => below === undefined || name.endsWith(`.${below}`);
    const added = [...this.records.keys()].filter(isWanted);
    return [...new Set([...names, ...added])].filter((name) => this.records.get(name)?.length !== 0);
  }

  readonly derivedAt: PlanReader['derivedAt'] = (...of) => this.before.derivedAt(...of);
  readonly derived: PlanReader['derived'] = (...of) => this.before.derived(...of);
  readonly linksBefore: PlanReader['linksBefore'] = (...of) => this.before.linksBefore(...of);
  readonly linkedNamesBelow: PlanReader['linkedNamesBelow'] = (...of) => this.before.linkedNamesBelow(...of);
}

function hasAlias({ added, changed, removed }: ZoneChange): boolean {
  return [...added, ...removed].some(isAlias) || changed.some(({ before, after }) => isAlias(before) || isAlias(after));
}

function isAlias({ type }: DnsRecord): boolean {
  return type === 'ALIAS';
}

function* slicesOf(names: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < names.length; from += NAMES_PER_SLICE) yield names.slice(from, from + NAMES_PER_SLICE);
}
