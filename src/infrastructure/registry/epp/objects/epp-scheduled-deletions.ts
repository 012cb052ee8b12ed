import type { Clock } from '../../../../application/ports/system';
import { RegistryRejected, RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';
import type { DomainName } from '../../../../domain/shared/domain-name';
import { cancelDeletion, scheduleDeletion } from '../mapping/commands/domain-commands';
import type { EppClient } from '../session/epp-client';
import type { EppDomains } from './epp-domains';

/** Deletions at the expiry, at a registry that otherwise extends every name and charges for it. */
export class EppScheduledDeletions {
  constructor(
    private readonly client: EppClient,
    private readonly domains: EppDomains,
    private readonly clock: Clock,
  ) {}

  /**
   * Schedules or cancels the deletion. A repetition changes nothing. Reads the name afterwards, because a registry may accept a
   * command that it does not understand.
   * @throws RegistryRejected (`status`) for a name that has expired: it would be deleted at once
   */
  async change(name: DomainName, wanted: 'scheduled' | 'cancelled', transactionId: string): Promise<void> {
    await this.client.runCall(transactionId, async (ids) => {
      const { expiresAt, deletionDate } = await this.domains.requireSponsored(name);
      if (stateOf(deletionDate) === wanted) return;
      if (wanted === 'scheduled' && expiresAt && expiresAt <= this.clock.now())
        throw new RegistryRejected('status', `${name.value} has expired. Delete it, or wait until it is extended`);
      const command = wanted === 'scheduled' ? scheduleDeletion(name.value, expiresAt) : cancelDeletion(name.value);
      await this.client.sendOrThrow(command, ids.main());
      if (stateOf((await this.domains.requireSponsored(name)).deletionDate) !== wanted)
        throw new RegistryUnavailable(`The registry does not show the changed deletion date of ${name.value} yet`);
    });
  }
}

function stateOf(deletionDate: Date | undefined): 'scheduled' | 'cancelled' {
  return deletionDate ? 'scheduled' : 'cancelled';
}
