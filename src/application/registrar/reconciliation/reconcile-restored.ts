import { inject, injectable } from '../../ports/inject';
import { ValidationError } from '../../../domain/shared/validation-error';
import { RaiseVersions } from '../../dns/publishing/raise-versions';
import { AccountReader } from '../../ports/access/accounts-and-api-keys';
import { NameListings } from '../../ports/registry/registries';
import { RegistryRejected, RegistryUnavailable } from '../../ports/registry/registry-errors';
import { AdoptPendingDomains } from './adopt-pending-domains';
import { CompareNewerZones, type NewerZoneComparison } from './compare-newer-zones';
import { FindNewerZones, type Unread } from './find-newer-zones';
import { ReconcileRegistries } from './reconcile-registries';
import type { ReconcileReport } from './reconcile-registry';

export interface RestoredReport {
  readonly registries: readonly ReconcileReport[];
  readonly zones: readonly NewerZoneComparison[];
  readonly unread: readonly Unread[];
}

interface RestoredCommand {
  readonly fix: boolean;
  /** The moment that was restored. */
  readonly at: Date;
  readonly accountId?: string | undefined;
}

/**
 * Compares a restored database with the registries and the secondaries, which went on after the backup, and then raises all
 * serials. `fix` adopts what differs. Sends nothing to a registry but queries, and skips domains with unfinished operations.
 * @throws ValidationError
 */
@injectable()
export class ReconcileRestored {
  constructor(
    @inject(FindNewerZones) private readonly findNewerZones: FindNewerZones,
    @inject(CompareNewerZones) private readonly compareNewerZones: CompareNewerZones,
    @inject(NameListings) private readonly listings: NameListings,
    @inject(ReconcileRegistries) private readonly registries: ReconcileRegistries,
    @inject(RaiseVersions) private readonly raiseVersions: RaiseVersions,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(AdoptPendingDomains) private readonly adoptPendingDomains: Pick<AdoptPendingDomains, 'execute'>,
  ) {}

  async execute({ fix, at, accountId }: RestoredCommand): Promise<RestoredReport> {
    if (accountId !== undefined && !(await this.accounts.find(accountId)))
      throw ValidationError.of('account', 'is not known');
    const { found, unread, ahead } = await this.findNewerZones.execute();
    await this.adoptPendingDomains.execute();
    const registries: ReconcileReport[] = [];
    const unreadRegistries: Unread[] = [];
    for (const { registry } of this.listings.listings()) {
      try {
        registries.push(...(await this.registries.execute({ registry, fix, accountId })));
      } catch (error) {
        // A restore must not depend on a registry: it can be compared again when it responds.
        if (!(error instanceof RegistryUnavailable || error instanceof RegistryRejected)) throw error;
        unreadRegistries.push({ source: registry, reason: error.details ?? error.message });
      }
    }
    const zones = await this.compareNewerZones.execute(found, {
      fix,
      accountId: accountId ?? (await this.onlyAccount()),
    });
    await this.raiseVersions.execute({ ahead, since: at });
    return { registries, zones, unread: [...unreadRegistries, ...unread] };
  }

  private async onlyAccount(): Promise<string | undefined> {
    const [only, ...more] = await this.accounts.all();
    return more.length === 0 ? only?.id : undefined;
  }
}
