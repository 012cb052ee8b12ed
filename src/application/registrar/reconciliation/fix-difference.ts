import { inject, injectable } from '../../ports/inject';
import { OPERATOR } from '../../../domain/access/actor';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/shared/domain-name';
import { DomainSync } from '../../lifecycle/domain-sync';
import { RegistryUnavailable } from '../../ports/registry/registry-errors';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Log } from '../../ports/system';
import { AdoptName } from '../imports/adopt-name';

/** Adopts a registry's data about one name. Changes nothing at the registry. @throws RegistryUnavailable */
@injectable()
export class FixDifference {
  constructor(
    @inject(DomainSync) private readonly domainSync: DomainSync,
    @inject(AdoptName) private readonly adoptName: AdoptName,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'zones' | 'zoneSignings'>,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Checks the domain now. Returns whether the check ran. */
  async sync(
    { id, name }: Pick<DomainState, 'id' | 'name'>,
    options?: { readonly endsUnknown: boolean },
  ): Promise<boolean> {
    try {
      await this.domainSync.syncNow({ id, name }, options);
      return true;
    } catch (error) {
      if (error instanceof RegistryUnavailable) throw error;
      this.log.error({ err: error, domainId: id }, 'the check of a domain failed and is retried');
      return false;
    }
  }

  /** Makes a name that is missing here a domain of the account. Returns whether the account has it. */
  async adopt(name: DomainName, accountId: string): Promise<boolean> {
    const held = await this.adoptName.read(name, accountId);
    if (!held) return false;
    const outcome = await this.unitOfWork.run((stores) =>
      this.adoptName.apply(stores, { accountId, actor: OPERATOR, held }),
    );
    return outcome !== 'taken';
  }
}
