import { inject, injectable } from '../ports/inject';
import { SERVICE, type Requester } from '../../domain/access/actor';
import type { NameNeighbors } from '../../domain/dns/zone-names/zone-ownership';
import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound, ZoneExists, ZoneNotVerified } from '../../domain/shared/domain-errors';
import { ServiceError } from '../../domain/shared/service-error';
import { asPartOf } from '../access/approvals/approval-needed';
import { domainChanged } from '../audit/domain-audit';
import type { OwnedDomain } from '../ports/registration/domain-repository';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { UnitOfWork, type TransactionHook, type CommitStore } from '../ports/storage/unit-of-work';
import { Clock, IdGenerator, LifecycleClock } from '../ports/system';
import { raisePublishedVersions } from '../publishing/raise-published-versions';
import { DomainUnavailable } from '../../domain/registration/registration-errors';
import { FindDomain } from '../registration/find-domain';
import { ZoneWriter } from '../dns/zones/zone-writer';
import { ReadZones, type ZoneReport } from './read-zones';
import { SubZones } from './sub-zones';
import { ZoneOwnershipCheck } from './zone-ownership-check';

type VerifyZoneCommand = Requester & {
  readonly domainId: string;
  /** Whether records of the account's zone above that the zone would hide move into it. */
  readonly movesRecords?: boolean;
};

type Verification = Pick<VerifyZoneCommand, 'actor' | 'movesRecords'>;

/** A unit of work sees what other accounts have meanwhile; then the proof is looked for again. */
const ATTEMPTS = 3;

/**
 * Looks for the proof that an unverified zone's name is the account's, and serves the zone if it is there. Repetition changes nothing.
 * @throws LimitedKey, RoleForbids, DomainNotFound, ZoneNotVerified, ZoneExists, RecordConflict
 */
@injectable()
export class VerifyZone {
  constructor(
    @inject(FindDomain) private readonly findDomain: Pick<FindDomain, 'zoneById'>,
    @inject(ZoneOwnershipCheck) private readonly check: ZoneOwnershipCheck,
    @inject(ReadZones) private readonly zones: Pick<ReadZones, 'of'>,
    @inject(SubZones) private readonly subZones: SubZones,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'countAndNotify'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<CommitStore>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(command: VerifyZoneCommand, hook?: TransactionHook<ZoneReport>): Promise<ZoneReport> {
    const domain = await this.findDomain.zoneById(command, 'register');
    const { domainId, movesRecords = false } = command;
    const verified = await asPartOf({ kind: 'zone_verification', domainId, movesRecords }, () =>
      this.verify(domain, command),
    );
    const report = await this.zones.of(verified);
    if (hook) await this.unitOfWork.run((stores) => hook(stores, report), command.accountId);
    return report;
  }

  /** In the background: without proof, nothing changes. */
  async verifyDue({ id, accountId }: OwnedDomain): Promise<void> {
    try {
      const domain = await this.findDomain.zoneById({ accountId, actor: SERVICE, domainId: id }, 'register');
      await this.verify(domain, { actor: SERVICE });
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof StorageUnavailable) throw error;
    }
  }

  private async verify(domain: Domain, by: Verification): Promise<Domain> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (domain.status !== 'unverified') return domain;
      const { isProven, details, neighbors } = await this.check.execute(domain.toState());
      if (!isProven) throw new ZoneNotVerified(details);
      const verified = await this.serve(domain, neighbors, by).catch(throwZoneExists);
      if (verified) return verified;
    }
    throw new ZoneNotVerified('Zones above or below it change at the moment. Try again');
  }

  /** Undefined if the zone is among others than the proof was looked for with. */
  private async serve(
    { id, accountId }: Domain,
    known: NameNeighbors,
    { actor, movesRecords = false }: Verification,
  ): Promise<Domain | undefined> {
    const served = await this.unitOfWork.run(async (stores) => {
      const domain = await stores.domains.lock(accountId, id);
      if (!domain) throw new DomainNotFound();
      if (domain.status !== 'unverified') return { domain, changed: [] };
      if (await stores.domains.lockByName(domain.name)) throw new ZoneExists('Another account has it');
      const before = domain.toState();
      const readNeighbors = () => stores.domains.neighbors(before.name, accountId);
      if (!isSame(await readNeighbors(), known)) return undefined;
      domain.verify(this.lifecycleClock.now());
      const [by, after] = [{ actor, at: this.clock.now() }, domain.toState()];
      await stores.domains.save(domain);
      await raisePublishedVersions(stores, before, after, by, () => this.ids.next('rec'));
      // The list of served zones is locked from here on: no other account gets a zone in between.
      const neighbors = await readNeighbors();
      if (!isSame(neighbors, known)) throw new ZoneNotVerified(MEANWHILE);
      const changed = await this.subZones.delegate(stores, after, { accountId, actor }, { neighbors, movesRecords });
      await stores.audit.append(domainChanged({ ...by, action: 'zone.verified', before, after }));
      return { domain, changed };
    }, accountId);
    this.writer.countAndNotify({ accountId, actor }, served?.changed ?? []);
    return served?.domain;
  }
}

const MEANWHILE = 'Another account was given a zone above or below it at this moment. Try again';

function isSame(one: NameNeighbors, other: NameNeighbors): boolean {
  return one.hasOthers === other.hasOthers && one.above?.id === other.above?.id;
}

export function throwZoneExists(error: unknown): never {
  if (error instanceof DomainUnavailable) throw new ZoneExists('Another account has it', { cause: error });
  throw error;
}
