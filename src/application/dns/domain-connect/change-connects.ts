import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { requireName } from '../../access/require-domain';
import { connectsChanged } from '../../audit/service-audit';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import type { ZoneDiscovery } from '../../ports/dns/templates-and-domain-connect';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { PublishDiscovery } from './publish-discovery';

interface ChangeConnectsCommand extends Requester {
  readonly domainId: string;
  readonly connects: boolean;
}

/** Whether service providers may ask to change a zone: switches its discovery record. @throws DomainNotFound, LimitedKey */
@injectable()
export class ChangeConnects {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'zones' | HookStore>,
    @inject(HostedNameReader) private readonly names: Pick<HostedNameReader, 'find'>,
    @inject(PublishDiscovery) private readonly discovery: Pick<PublishDiscovery, 'wanted'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(
    { domainId, connects, ...requester }: ChangeConnectsCommand,
    hook?: TransactionHook<ZoneDiscovery>,
  ): Promise<ZoneDiscovery> {
    const { accountId } = requester;
    const name = requireName(await this.names.find(accountId, domainId), requester, 'write');
    return this.unitOfWork.run(async (stores) => {
      const { audit, zones } = stores;
      const isThere = await zones.lock(domainId);
      const before = await zones.findDiscovery(domainId);
      if (!isThere || !before) throw new DomainNotFound();
      const discovery = this.discovery.wanted({ ...before, connects });
      const after = { ...before, connects, discovery };
      if (discovery !== before.discovery) await zones.setDiscovery(domainId, discovery);
      if (connects !== before.connects) {
        await zones.setConnects(domainId, connects);
        await audit.append(connectsChanged({ at: this.clock.now(), requester, domain: name, connects }));
      }
      await hook?.(stores, after);
      return after;
    }, accountId);
  }
}
