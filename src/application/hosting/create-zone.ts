import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertActionAllowed, assertNameAllowed } from '../../domain/access/key-permissions';
import type { ZoneHead } from '../../domain/dns/zone';
import { zoneIdOf } from '../../domain/dns/zone-id';
import { assertNotReserved } from '../../domain/dns/zone-names/reserved-names';
import { reverseZoneOf } from '../../domain/dns/zone-names/reverse-zone';
import { parseNewZoneName } from '../../domain/dns/zone-names/zone-name';
import { needsChallenge, nextVerification, type NameNeighbors } from '../../domain/dns/zone-names/zone-ownership';
import { Domain, type DomainState } from '../../domain/registration/domain';
import { ZoneExists } from '../../domain/shared/domain-errors';
import { DomainName } from '../../domain/shared/domain-name';
import { asPartOf } from '../access/approvals/approval-needed';
import { domainChanged } from '../audit/domain-audit';
import { ZoneNameSettings } from '../dns/dns-settings';
import type { ImportedZone } from '../dns/zones/zone-files/import-zone-file';
import type { AcceptedChange } from '../dns/zones/accepted-change';
import { ZoneCommit } from '../dns/zones/zone-commit';
import { UnitOfWork, type Stores, type TransactionHook, type CommitStore } from '../ports/storage/unit-of-work';
import { ZoneWriter } from '../dns/zones/zone-writer';
import { Clock, IdGenerator, LifecycleClock } from '../ports/system';
import { settleAll } from '../shared/settle-all';
import { ReadZones, type ZoneReport } from './read-zones';
import { SubZones } from './sub-zones';
import { throwZoneExists } from './verify-zone';
import { ZoneContents, type GivenContents, type NotCopied, type ZoneContentsSource } from './zone-contents';
import { ZoneOwnershipCheck } from './zone-ownership-check';
import { RegistrationSettings } from '../registration/registration-settings';

/** Its name or, of a reverse zone, its network in CIDR notation. */
export type GivenZone = { readonly name: string } | { readonly network: string };

export interface CreateZoneCommand extends Requester {
  readonly zone: GivenZone;
  /** Whether records of the account's zone above that the zone would hide move into it. */
  readonly movesRecords: boolean;
  /** Where its first records come from; absent: it has none. */
  readonly from?: ZoneContentsSource | undefined;
}

export interface CreatedZone extends ZoneReport {
  /** Undefined unless records were copied. */
  readonly copied: CopiedRecords | undefined;
}

export interface CopiedRecords {
  readonly imported: ImportedZone;
  readonly notCopied: NotCopied;
  /** What they were read from: a zone file if other servers were asked. */
  readonly given: GivenContents;
}

type Used = 'accounts' | 'audit' | 'domains' | 'zones';

interface Creation {
  readonly id: string;
  readonly name: DomainName;
  readonly requester: Requester;
  readonly at: Date;
  readonly isTrusted: boolean;
}

interface Added {
  readonly state: DomainState;
  /** Undefined while the zone is not verified. */
  readonly neighbors: NameNeighbors | undefined;
  readonly head: ZoneHead | undefined;
}

const NO_HOOK: TransactionHook<CreatedZone> = async () => undefined;

/** Undoes the transaction of a plan. */
class Planned extends Error {
  constructor(readonly report: CreatedZone) {
    super('a plan is not committed');
  }
}

/**
 * Hosts the zone of a name that is not registered here. It is not served before the account proves that the name is its own, unless the
 * operator trusts the account or the zone above is the account's. If the account has a zone above, it delegates to the new one.
 * @throws LimitedKey, RoleForbids, ValidationError, ZoneExists, RecordConflict
 */
@injectable()
export class CreateZone {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<CommitStore | 'accounts'>,
    @inject(SubZones) private readonly subZones: SubZones,
    @inject(ZoneContents) private readonly contents: ZoneContents,
    @inject(ZoneCommit) private readonly commit: Pick<ZoneCommit, 'acceptFirst' | 'writeFirst'>,
    @inject(ZoneWriter)
    private readonly writer: Pick<ZoneWriter, 'inWholeZoneSlot' | 'countAndNotify'>,
    @inject(ReadZones) private readonly zones: Pick<ReadZones, 'inList'>,
    @inject(ZoneOwnershipCheck) private readonly ownership: Pick<ZoneOwnershipCheck, 'isTrusted'>,
    @inject(ZoneNameSettings) private readonly names: ZoneNameSettings,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(command: CreateZoneCommand, hook?: TransactionHook<CreatedZone>): Promise<CreatedZone> {
    const { zone, movesRecords, from } = command;
    // Only the API has a source as it was given.
    const whole = from ? undefined : ({ kind: 'zone_creation', zone, movesRecords } as const);
    const { report, changed } = await asPartOf(whole, () => this.create(command, hook ?? NO_HOOK));
    this.writer.countAndNotify(command, changed);
    return report;
  }

  /** What `execute` would create; nothing is changed. @throws as `execute` */
  async plan(command: CreateZoneCommand): Promise<CreatedZone> {
    try {
      await this.create(command, async (_stores, report) => {
        throw new Planned(report);
      });
    } catch (error) {
      if (error instanceof Planned) return error.report;
      throw error;
    }
    throw new TypeError('a plan was committed');
  }

  /** Other servers are asked first. The zone and its records are one transaction, in a slot if they can be many. */
  private async create(
    { zone: given, movesRecords, from, ...requester }: CreateZoneCommand,
    hook: TransactionHook<CreatedZone>,
  ) {
    const { accountId, actor } = requester;
    assertActionAllowed(actor, 'register');
    const name = DomainName.fromState(this.parse(given));
    assertNameAllowed(actor, name.value);
    const isTrusted = await this.ownership.isTrusted(accountId);
    const fetched = from && (await this.contents.fetch(name.value, requester, from));
    const hasRecords = from !== undefined || movesRecords;
    const creation: Creation = { requester, name, id: this.ids.next('dom'), at: this.clock.now(), isTrusted };
    const store = async () => {
      const first = fetched && (await this.acceptContents(creation, fetched.given));
      return this.unitOfWork.run(
        async (stores) => {
          const { state, neighbors, head } = await this.add(stores, creation);
          const delegated = neighbors
            ? await this.subZones.delegate(stores, state, requester, { neighbors, movesRecords })
            : [];
          const filled = first && (await this.commit.writeFirst(stores, first));
          const changed = [...delegated, ...(filled ? [filled] : [])];
          const zone = changed.length > 0 ? await stores.zones.lock(state.id) : head;
          if (!zone) throw new TypeError(`${state.id} has no zone`);
          const copied = filled && { imported: filled.result, ...fetched };
          const report = { ...this.zones.inList(state, { ...zone, signing: 'off' }), dsRecords: [], copied };
          await hook(stores, report);
          return { report, changed };
        },
        accountId,
        { isLong: hasRecords },
      );
    };
    return hasRecords ? this.writer.inWholeZoneSlot(requester, store) : store();
  }

  /** Reading and checking many records takes long, and depends on nothing that is stored. */
  private async acceptContents(creation: Creation, given: GivenContents): Promise<AcceptedChange<ImportedZone>> {
    const { requester, id } = creation;
    const decide = await this.contents.read(creation.name.value, requester, given);
    const { hostedName } = this.domainOf(creation, true);
    return this.commit.acceptFirst(hostedName, { request: { ...requester, domainId: id }, decide });
  }

  private domainOf({ id, name, requester }: Creation, isVerified: boolean): Domain {
    const nameservers = this.settings.defaultNameservers;
    const hosted = { id, accountId: requester.accountId, name: name.value, nameservers, isVerified };
    return Domain.host(hosted, this.lifecycleClock.now());
  }

  private parse(zone: GivenZone): string {
    const name = 'name' in zone ? parseNewZoneName(zone.name) : reverseZoneOf(zone.network);
    assertNotReserved(name, this.names, 'name' in zone ? 'name' : 'network');
    return name;
  }

  private async add(stores: Pick<Stores, Used>, creation: Creation): Promise<Added> {
    const { id, at, requester } = creation;
    const { actor } = requester;
    const { audit, domains, zones } = stores;
    const isVerified = !isUnproven(await readNeighbors(stores, creation), creation);
    await this.assertFree(stores, creation, isVerified);
    const now = this.lifecycleClock.now();
    const domain = this.domainOf(creation, isVerified);
    domain.schedule(isVerified ? now : nextVerification(now, now));
    const state = domain.toState();
    const stored = settleAll([
      domains.add(domain).catch(throwZoneExists),
      zones.create(id, { actor, at }),
      audit.append(domainChanged({ actor, at, action: 'zone.created', after: state })),
    ]);
    const neighborsNow = isVerified ? serve(stores, creation) : Promise.resolve(undefined);
    const [, neighbors, head] = await settleAll([stored, neighborsNow, zones.lock(id)]);
    if (neighbors && isUnproven(neighbors, creation)) throw new ZoneExists(MEANWHILE);
    return { state, neighbors, head };
  }

  private async assertFree(
    { accounts, domains }: Pick<Stores, 'accounts' | 'domains'>,
    { name, requester: { accountId } }: Creation,
    isVerified: boolean,
  ): Promise<void> {
    // The database keeps verified names unique, and of unverified ones this lock does.
    if (!isVerified) await accounts.lock(accountId);
    const own = await domains.lockOwn(accountId, name);
    if (own) throw new ZoneExists(`Its zone is ${zoneIdOf(own.id)}`);
    if (isVerified) return;
    const rival = await domains.lockByName(name);
    if (rival && !rival.isHosted) throw new ZoneExists('Another account has it');
  }
}

function readNeighbors({ domains }: Pick<Stores, 'domains'>, { name, requester }: Creation): Promise<NameNeighbors> {
  return domains.neighbors(name.value, requester.accountId);
}

/** Locks the list of served zones, so that no other account gets a zone between what it returns and the commit. */
async function serve(stores: Pick<Stores, 'domains' | 'zones'>, creation: Creation): Promise<NameNeighbors> {
  const { id: domainId, name, at } = creation;
  const [, neighbors] = await settleAll([
    stores.zones.changeCatalog({ domainId, zoneName: name.value, isMember: true, at }),
    readNeighbors(stores, creation),
  ]);
  return neighbors;
}

function isUnproven(neighbors: NameNeighbors, { requester: { accountId }, isTrusted }: Creation): boolean {
  return needsChallenge(neighbors, accountId, isTrusted);
}

const MEANWHILE = 'Another account was given a zone above or below it at this moment. Try again';
