import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertMayLetGo, assertWholeZoneAllowed } from '../../domain/access/key-permissions';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { asPartOf, assertNoApprovalNeeded } from '../access/approvals/approval-needed';
import { requireOwned } from '../access/require-domain';
import { domainChanged } from '../audit/domain-audit';
import { ZoneCommit } from '../dns/zones/zone-commit';
import { ZoneWriter } from '../dns/zones/zone-writer';
import { ZonePublisher } from '../ports/dns/publishing';
import { UnitOfWork, type TransactionHook, type CommitStore, type Stores } from '../ports/storage/unit-of-work';
import { Clock, IdGenerator, LifecycleClock } from '../ports/system';
import { SubZones } from './sub-zones';
import { raisePublishedVersions } from '../publishing/raise-published-versions';

type DeleteZoneCommand = Requester & { readonly domainId: string };

/** Stops hosting the zone of a name that is not registered here. @throws LimitedKey, RoleForbids, DomainNotFound, DomainStatusConflict */
@injectable()
export class DeleteZone {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<CommitStore>,
    @inject(SubZones) private readonly subZones: SubZones,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'countAndNotify'>,
    @inject(ZoneCommit) private readonly commit: Pick<ZoneCommit, 'withdrawPtrs'>,
    @inject(ZonePublisher) private readonly publisher: Pick<ZonePublisher, 'notifySecondaries'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute({ domainId, ...requester }: DeleteZoneCommand, hook?: TransactionHook<void>): Promise<void> {
    const { accountId, actor } = requester;
    assertMayLetGo(actor);
    assertWholeZoneAllowed(actor);
    const whole = { kind: 'zone_deletion', domainId } as const;
    const remove = async (stores: Pick<Stores, CommitStore>) => {
      const { audit, domains, zones } = stores;
      const domain = requireOwned(await domains.lock(accountId, domainId), { actor }, 'register');
      if (!domain.isHosted)
        throw new DomainStatusConflict('The name is registered, and its zone ends with the registration');
      const before = domain.toState();
      assertNoApprovalNeeded(actor, { kind: 'deletion', tags: before.tags }, () => whole);
      const reverseZones = await this.commit.withdrawPtrs(stores, requester, domain.hostedName);
      domain.removeZone(this.lifecycleClock.now());
      await domains.save(domain);
      const [by, after] = [{ actor, at: this.clock.now() }, domain.toState()];
      await raisePublishedVersions({ domains, zones }, before, after, by, () => this.ids.next('rec'));
      // The list of served zones is locked from here on: no zone below comes in between.
      const wasServed = before.status === 'hosted';
      const withdrawn = wasServed ? await this.subZones.withdraw(stores, before, requester) : [];
      await audit.append(domainChanged({ ...by, action: 'zone.deleted', before, after }));
      await hook?.(stores);
      return { withdrawn, reverseZones };
    };
    const changed = await asPartOf(whole, () => this.unitOfWork.run(remove, accountId));
    this.writer.countAndNotify(requester, changed.withdrawn);
    for (const zone of changed.reverseZones) this.publisher.notifySecondaries(zone);
  }
}
