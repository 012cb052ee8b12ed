import { inject, injectable } from '../../ports/inject';
import type { Actor } from '../../../domain/access/actor';
import { DomainReader } from '../../ports/registration/domain-repository';
import type { SkippedName } from '../../ports/registry/registries';
import { ImportableRegistries } from './importable-registries';

/** A name that our account at a registry holds. */
export interface HeldNameFacts {
  readonly name: string;
  readonly expiresAt: Date;
  /** The account's domain of that name, if it has one. */
  readonly domainId: string | undefined;
}

export interface HeldNamePage {
  readonly names: readonly HeldNameFacts[];
  readonly skipped: readonly SkippedName[];
  /** Absent on the last page. */
  readonly next: string | undefined;
}

interface ListQuery {
  readonly accountId: string;
  readonly actor: Actor;
  readonly registry: string;
  readonly cursor?: string | undefined;
}

/**
 * Lists the names that our account at a registry holds, without those of other accounts here.
 * @throws ValidationError for a registry that is not open to the account; RegistryRejected (`unsupported`), RegistryUnavailable
 */
@injectable()
export class ListHeldNames {
  constructor(
    @inject(ImportableRegistries) private readonly registries: ImportableRegistries,
    @inject(DomainReader) private readonly domains: DomainReader,
  ) {}

  async page({ accountId, actor, registry, cursor }: ListQuery): Promise<HeldNamePage> {
    const listing = await this.registries.require(registry, { accountId, actor });
    const { names, skipped = [], next } = await listing.list(cursor);
    const listed = [...names.map(({ name }) => name.value), ...skipped.map(({ name }) => name)];
    const here = await this.domains.liveAmong(listed);
    const byName = new Map(here.map((state) => [state.name, state]));
    return {
      names: names.flatMap(({ name, expiresAt }) => {
        const known = byName.get(name.value);
        return known && known.accountId !== accountId ? [] : [{ name: name.value, expiresAt, domainId: known?.id }];
      }),
      skipped: skipped.filter(({ name }) => (byName.get(name)?.accountId ?? accountId) === accountId),
      next,
    };
  }
}
