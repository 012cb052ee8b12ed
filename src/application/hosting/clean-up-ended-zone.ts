import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import { isHosted } from '../../domain/registration/domain-status';
import { ZoneCommit } from '../dns/zones/zone-commit';
import { ZoneWriter } from '../dns/zones/zone-writer';
import { ZonePublisher } from '../ports/dns/publishing';
import type { OwnedDomain } from '../ports/registration/domain-repository';
import { UnitOfWork, type CommitStore } from '../ports/storage/unit-of-work';
import { SubZones } from './sub-zones';

/** Removes what other zones of the account keep for one that has ended with its registration: PTR records and its delegation. */
@injectable()
export class CleanUpEndedZone {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<CommitStore>,
    @inject(SubZones) private readonly subZones: Pick<SubZones, 'withdraw'>,
    @inject(ZoneCommit) private readonly commit: Pick<ZoneCommit, 'withdrawPtrs'>,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'countAndNotify'>,
    @inject(ZonePublisher) private readonly publisher: Pick<ZonePublisher, 'notifySecondaries'>,
  ) {}

  /** Afterwards, the name is not due. Repetition changes nothing. */
  async execute({ id, accountId }: OwnedDomain): Promise<void> {
    const requester = { accountId, actor: SERVICE };
    const changed = await this.unitOfWork.run(async (stores) => {
      const domain = await stores.domains.lockIfFree(id);
      if (!domain?.hasLeft || isHosted(domain.status)) return undefined;
      domain.schedule(null);
      await stores.domains.save(domain);
      // The account may have the name again.
      if (await stores.domains.lockOwn(accountId, domain.name)) return undefined;
      const reverseZones = await this.commit.withdrawPtrs(stores, requester, domain.hostedName);
      return { reverseZones, withdrawn: await this.subZones.withdraw(stores, domain.toState(), requester) };
    }, accountId);
    this.writer.countAndNotify(requester, changed?.withdrawn ?? []);
    for (const zone of changed?.reverseZones ?? []) this.publisher.notifySecondaries(zone);
  }
}
