import { inject, injectable } from '../../ports/inject';
import { ValidationError } from '../../../domain/shared/validation-error';
import { AccountReader } from '../../ports/access/accounts-and-api-keys';
import { NameListings, type RegistryNameListing } from '../../ports/registry/registries';
import { ReconcileRegistry, type ReconcileReport } from './reconcile-registry';

interface ReconcileCommand {
  /** All registries if absent. */
  readonly registry?: string | undefined;
  readonly fix: boolean;
  /** The account for names that are missing here; the only account, or the only one in the registry's `accounts`, if absent. */
  readonly accountId?: string | undefined;
}

/** Compares registries with the service, one after the other, for the operator. @throws ValidationError, RegistryUnavailable */
@injectable()
export class ReconcileRegistries {
  constructor(
    @inject(NameListings) private readonly registries: NameListings,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(ReconcileRegistry) private readonly reconcile: ReconcileRegistry,
  ) {}

  async execute({ registry, fix, accountId }: ReconcileCommand): Promise<readonly ReconcileReport[]> {
    const listings = this.registries.listings().filter((each) => registry === undefined || each.registry === registry);
    if (listings.length === 0) throw ValidationError.of('registry', `is not configured: ${registry ?? ''}`);
    if (accountId !== undefined && !(await this.accounts.find(accountId)))
      throw ValidationError.of('account', 'is not known');
    const reports: ReconcileReport[] = [];
    for (const listing of listings)
      reports.push(
        await this.reconcile.execute(listing, { fix, accountId: accountId ?? (await this.onlyAccount(listing)) }),
      );
    return reports;
  }

  private async onlyAccount({ accounts: [named, ...others] }: RegistryNameListing): Promise<string | undefined> {
    if (named !== undefined) return others.length === 0 ? named : undefined;
    const [only, ...more] = await this.accounts.all();
    return more.length === 0 ? only?.id : undefined;
  }
}
