import { publishedRrsets } from '../../../../domain/dns/published-rrsets';
import type { NamedRrset } from '../../../../domain/dns/dnssec/signed-content';
import type { DnsRecord } from '../../../../domain/dns/records/dns-record';
import { ROOT } from '../../../../domain/dns/records/record-name';
import { groupedBy } from '../../../../domain/shared/grouped-by';
import type { SignedZoneState, SigningReader } from '../../../ports/dns/signing/signing-repository';
import type { ZoneChange, ZoneReader } from '../../../ports/dns/zone-repository';
import { yieldBetween } from '../../../run-cooperatively';
import type { PlanReader } from './plan-signatures';
import { touchedNames } from './touched-names';

const NAMES_PER_SLICE = 100;

/** Reads a zone as it will be after a change of its records that is not written yet. */
export class ChangedZone implements PlanReader {
  private constructor(
    private readonly before: PlanReader,
    /** The records at the names of the change, as it leaves them. */
    private readonly records: ReadonlyMap<string, readonly DnsRecord[]>,
  ) {}

  /** Undefined if what the change leads to is not known before it is written: at the names of ALIAS records. */
  static async read(
    { before, zones }: { readonly before: SigningReader; readonly zones: Pick<ZoneReader, 'recordsAt'> },
    domainId: string,
    change: ZoneChange,
  ): Promise<ChangedZone | undefined> {
    const names = [...touchedNames(change).names];
    const stored = (await zones.recordsAt([{ domainId, names }])).get(domainId) ?? [];
    const { added, changed, removed } = change;
    const replaced = new Set([...removed, ...changed.map((each) => each.before)].map(({ id }) => id));
    const after = [...stored.filter(({ id }) => !replaced.has(id)), ...changed.map((each) => each.after), ...added];
    if ([...stored, ...after].some(({ type }) => type === 'ALIAS')) return undefined;
    const records = groupedBy(after, ({ name }) => name);
    return new ChangedZone(before, new Map(names.map((name) => [name, records.get(name) ?? []])));
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
    return rrsets;
  }

  async namesOf(domainId: string, below?: string): Promise<readonly string[]> {
    const names = await this.before.namesOf(domainId, below);
    const isWanted = (name: string): boolean => below === undefined || name.endsWith(`.${below}`);
    const added = [...this.records.keys()].filter(isWanted);
    return [...new Set([...names, ...added])].filter((name) => this.records.get(name)?.length !== 0);
  }

  readonly derivedAt: PlanReader['derivedAt'] = (...of) => this.before.derivedAt(...of);
  readonly derived: PlanReader['derived'] = (...of) => this.before.derived(...of);
  readonly linksBefore: PlanReader['linksBefore'] = (...of) => this.before.linksBefore(...of);
  readonly linkedNamesBelow: PlanReader['linkedNamesBelow'] = (...of) => this.before.linkedNamesBelow(...of);
}

function* slicesOf(names: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < names.length; from += NAMES_PER_SLICE) yield names.slice(from, from + NAMES_PER_SLICE);
}
