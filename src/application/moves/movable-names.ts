import { inject, injectable } from '../ports/inject';
import { assertMovable } from '../../domain/registration/account-move';
import type { Domain, DomainState } from '../../domain/registration/domain';
import { isHosted } from '../../domain/registration/domain-status';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { SubZones } from '../hosting/sub-zones';
import type { Stores } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system';

/** A name, and the zones below it that move along. */
export type MovableNames = readonly [Domain, ...Domain[]];

/** Which names move together: the service keeps delegations between zones within an account only. */
@injectable()
export class FindMovableNames {
  constructor(
    @inject(SubZones) private readonly subZones: Pick<SubZones, 'above'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** In a unit of work that has locked the domain and its zone; locks the others. @throws DomainStatusConflict, OperationInProgress */
  async execute(
    { domains, operations, zones }: Pick<Stores, 'domains' | 'operations' | 'zones'>,
    domain: Domain,
  ): Promise<MovableNames> {
    const { accountId, name, status } = domain.toState();
    const above = isHosted(status) ? await this.subZones.above(accountId, name, domains) : undefined;
    if (above)
      throw new DomainStatusConflict(
        `${name} is delegated by ${above.name}, a zone of the same account. Move ${above.name}, and the zones below it move along`,
      );
    const below: Domain[] = [];
    for (const { id } of inOrder(await domains.zonesBelow(accountId, name))) {
      const found = await domains.lock(accountId, id);
      if (!found?.isHosted) continue;
      await zones.lock(id);
      below.push(found);
    }
    for (const each of [domain, ...below])
      assertMovable(each.toState(), await operations.unfinished(each.id), this.clock.now());
    return [domain, ...below];
  }
}

function inOrder(zones: readonly DomainState[]): readonly DomainState[] {
  return zones.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
