import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import type { Domain } from '../../../domain/registration/domain';
import { requireDomain } from '../../access/require-domain';
import { setKeepZone } from '../../operations/set-keep-zone';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock, IdGenerator, LifecycleClock } from '../../ports/system';

/** Sets whether the zone stays when the domain is deleted or transferred out. @throws LimitedKey, DomainNotFound, DomainStatusConflict */
@injectable()
export class ChangeKeepZone {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'zones' | HookStore>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(
    { accountId, actor, domainId, keepZone }: Requester & { domainId: string; keepZone: boolean },
    hook?: TransactionHook<Domain>,
  ): Promise<Domain> {
    return this.unitOfWork.run(async (stores) => {
      const domain = requireDomain(await stores.domains.lock(accountId, domainId), { actor }, 'settings');
      domain.assertAllows('keep the zone');
      const [at, now] = [this.clock.now(), this.lifecycleClock.now()];
      await setKeepZone(stores, domain, { keepZone, actor, at, now, newId: () => this.ids.next('rec') });
      await hook?.(stores, domain);
      return domain;
    }, accountId);
  }
}
