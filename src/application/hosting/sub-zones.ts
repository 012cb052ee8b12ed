import { inject, injectable } from '../ports/inject';
import type { CommitStore, Stores } from '../ports/storage/unit-of-work';
import type { Requester } from '../../domain/access/actor';
import { RecordsHidden } from '../../domain/dns/dns-errors';
import type { DnsRecord } from '../../domain/dns/records/dns-record';
import {
  closestBelow,
  isDelegationAt,
  isKeptFor,
  isKeptForZone,
  movedRecord,
  type SubZone,
} from '../../domain/dns/delegation/sub-zone';
import {
  delegationChange,
  delegationPlace,
  delegationRecords,
  withoutLargerAliases,
} from '../../domain/dns/delegation/sub-zone-delegation';
import type { NameNeighbors } from '../../domain/dns/zone-names/zone-ownership';
import { isReverseName } from '../../domain/dns/zone-names/reverse-tree';
import { isZoneServed } from '../../domain/registration/domain-status';
import type { DomainState } from '../../domain/registration/domain';
import { parentsOf } from '../../domain/shared/domain-name';
import { ZoneCommit } from '../dns/zones/zone-commit';
import type { Decide, Written } from '../dns/zones/zone-request';
import type { ZoneReader } from '../ports/dns/zone-repository';
import { DomainReader } from '../ports/registration/domain-repository';
import { Clock, IdGenerator } from '../ports/system';

/** A change of a zone, with the records that move to another one. */
type Moved = Written<readonly DnsRecord[]>;

/** Keeps the delegations of zones in the zones above them, within an account. After the commit: `ZoneWriter.countAndNotify`. */
@injectable()
export class SubZones {
  constructor(
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'zonesAmong'>,
    @inject(ZoneCommit) private readonly commit: ZoneCommit,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * The closest zone above a name; undefined if there is none, or it is another account's. A unit of work passes its own `domains`:
   * if it waited for a second connection, simultaneous ones could wait for each other.
   */
  async above(
    accountId: string,
    name: string,
    domains: Pick<DomainReader, 'zonesAmong'> = this.domains,
  ): Promise<DomainState | undefined> {
    const zones = (await domains.zonesAmong(parentsOf(name))).filter(
      (each) => each.status !== 'pending' || isZoneServed(each),
    );
    const [closest] = zones.toSorted((one, other) => other.name.length - one.name.length);
    return closest?.accountId === accountId ? closest : undefined;
  }

  /**
   * In the unit of work that has added a zone to the served ones: delegates to it in the zone above, and in it to the zones below. Records of the zone above
   * that it would hide move into it.
   * @param neighbors as that unit of work has read them since
   * @throws RecordConflict if there are such records and they are not to be moved; DomainNotFound if the requester may not see that zone
   */
  async delegate(
    stores: Pick<Stores, CommitStore>,
    zone: SubZone,
    requester: Requester,
    { neighbors, movesRecords }: { readonly neighbors: NameNeighbors; readonly movesRecords: boolean },
  ): Promise<readonly Moved[]> {
    const { accountId } = requester;
    const above = neighbors.above?.accountId === accountId ? neighbors.above : undefined;
    const allBelow = neighbors.hasOwnBelow ? await stores.domains.zonesBelow(accountId, zone.name) : [];
    const cut =
      above && (await this.write(stores, requester, above, await this.cut(stores, above, zone, movesRecords)));
    const moved = (cut?.result ?? []).map((record) => this.moved(record, above, zone));
    const toDelegate = closestBelow(allBelow).filter((below) => !moved.some((record) => isKeptFor(below, record)));
    const added = withoutLargerAliases([...moved, ...toDelegate.flatMap((below) => this.delegationIn(zone, below))]);
    const filled = added.length > 0 ? [await this.write(stores, requester, zone, adding(added))] : [];
    return [...(cut ? [cut] : []), ...filled];
  }

  /** In the unit of work that has ended a zone: removes its delegation, and delegates to the zones below from the zone above. */
  async withdraw(
    stores: Pick<Stores, CommitStore>,
    zone: DomainState,
    requester: Requester,
  ): Promise<readonly Moved[]> {
    const above = await this.above(requester.accountId, zone.name, stores.domains);
    if (!above) return [];
    const below = closestBelow(await stores.domains.zonesBelow(requester.accountId, zone.name));
    const names = await this.namesOf(stores.zones, above, zone);
    const wanted = withoutLargerAliases(below.flatMap((each) => this.delegationIn(above, each)));
    const decide: Decide<readonly DnsRecord[]> = async ({ recordsAt }) => {
      const removed = (await recordsAt(names)).filter((each) => isKeptFor(zone, each));
      const known = new Set((await recordsAt(wanted.map(({ name }) => name))).map((each) => each.identity()));
      const added = wanted.filter((each) => !known.has(each.identity()));
      return { change: { added, changed: [], removed }, keepsDelegations: true, result: [] };
    };
    if (isReverseName(zone.name)) await this.fillAgain(stores, above, zone.updatedAt);
    return [await this.write(stores, requester, above, decide)];
  }

  /** Addresses that had their PTR records in a zone below, or aliases into it, can have them here or in another part. */
  private async fillAgain(
    { domains, zoneDelegations }: Pick<Stores, CommitStore>,
    above: DomainState,
    dueAt: Date,
  ): Promise<void> {
    await zoneDelegations.forget(above.id);
    await domains.scheduleBelow(above, dueAt);
    const domain = await domains.lockAny(above.id);
    if (!domain?.isHosted) return;
    domain.schedule(dueAt);
    await domains.save(domain);
  }

  /** Where the zone `above` can keep something for a zone. */
  async namesOf(
    zones: Pick<ZoneReader, 'namesBelow'>,
    above: Pick<SubZone, 'id' | 'name'>,
    zone: Pick<SubZone, 'name'>,
  ): Promise<readonly string[]> {
    const { owner, aliases } = delegationPlace(above.name, zone.name);
    return [owner, ...(await zones.namesBelow(above.id, owner)), ...aliases];
  }

  /** Replaces what the zone `above` has at and below the new zone by its delegation. */
  private async cut(
    { zones }: Pick<Stores, 'zones'>,
    above: Pick<SubZone, 'id' | 'name'>,
    zone: SubZone,
    movesRecords: boolean,
  ): Promise<Decide<readonly DnsRecord[]>> {
    const { owner, aliases } = delegationPlace(above.name, zone.name);
    const names = await this.namesOf(zones, above, zone);
    const wanted = this.delegationIn(above, zone);
    const isOfOtherPart = (each: DnsRecord): boolean => aliases.includes(each.name) && isKeptForZone(each.toState());
    return async ({ recordsAt }) => {
      const present = await recordsAt(names);
      const replaced = present.filter((each) => !isOfOtherPart(each));
      const hidden = replaced.filter((each) => !isKeptForZone(each.toState()));
      if (hidden.length > 0 && !movesRecords) throw hiddenRecords(above.name, hidden);
      const { added, removed } = delegationChange(zone, present.filter(isOfOtherPart), wanted);
      const result = replaced.filter((record) => !isDelegationAt(owner, record));
      return {
        change: { added, changed: [], removed: [...replaced, ...removed] },
        keepsDelegations: true,
        result,
      };
    };
  }

  private write(
    stores: Pick<Stores, CommitStore>,
    requester: Requester,
    { id: domainId }: Pick<SubZone, 'id'>,
    decide: Decide<readonly DnsRecord[]>,
  ): Promise<Moved> {
    return this.commit.within(stores, { request: { ...requester, domainId }, decide });
  }

  private delegationIn(above: Pick<SubZone, 'name'>, below: SubZone): readonly DnsRecord[] {
    return delegationRecords(above.name, below, [], () => this.ids.next('rec'), this.clock.now());
  }

  private moved(record: DnsRecord, above: Pick<SubZone, 'name'> | undefined, zone: SubZone): DnsRecord {
    return movedRecord(record, above?.name ?? '', zone.name, this.ids.next('rec'), this.clock.now());
  }
}

function adding(added: readonly DnsRecord[]): Decide<readonly DnsRecord[]> {
  return async () => ({ change: { added, changed: [], removed: [] }, keepsDelegations: true, result: [] });
}

function hiddenRecords(zoneName: string, hidden: readonly DnsRecord[]): RecordsHidden {
  return new RecordsHidden(
    hidden[0]?.id ?? '',
    zoneName,
    hidden.map(({ name, type }) => `${name} ${type}`),
  );
}
