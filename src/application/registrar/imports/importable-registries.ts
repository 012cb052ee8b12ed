import { inject, injectable } from '../../ports/inject';
import { OPERATOR, type Actor } from '../../../domain/access/actor';
import { ValidationError } from '../../../domain/shared/validation-error';
import { AccountReader } from '../../ports/access/accounts-and-api-keys';
import { NameListings, type RegistryNameListing } from '../../ports/registry/registries';

/**
 * The registries from which an account may import. The credentials are the operator's, so with several accounts only those
 * that the registry's `accounts` in the registries file names may see what the operator's account there holds.
 */
@injectable()
export class ImportableRegistries {
  constructor(
    @inject(NameListings) private readonly registries: NameListings,
    @inject(AccountReader) private readonly accounts: AccountReader,
  ) {}

  async of({ accountId, actor }: { accountId: string; actor: Actor }): Promise<readonly RegistryNameListing[]> {
    const listings = this.registries.listings();
    if (actor === OPERATOR || (await this.isOnlyAccount(accountId))) return listings;
    return listings.filter(({ accounts }) => accounts.includes(accountId));
  }

  /** @throws ValidationError if the account may not import from the registry, or it does not exist */
  async require(registry: string, requester: { accountId: string; actor: Actor }): Promise<RegistryNameListing> {
    const open = await this.of(requester);
    const found = open.find((listing) => listing.registry === registry);
    if (found) return found;
    const names = open.map((listing) => listing.registry);
    throw ValidationError.of(
      'registry',
      names.length === 0
        ? 'is not open to this account: ask the operator to import, or to add the account to the registry’s accounts'
        : `must be one of ${names.join(', ')}`,
    );
  }

  private async isOnlyAccount(accountId: string): Promise<boolean> {
    const all = await this.accounts.all();
    return all.length === 1 && all[0]?.id === accountId;
  }
}
