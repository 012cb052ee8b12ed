import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import {
  assertActionAllowed,
  assertNameAllowed,
  assertWholeAccountAllowed,
  seesSomeDomains,
} from '../../../domain/access/key-permissions';
import { DomainName } from '../../../domain/shared/domain-name';
import { MAX_IMPORTED_NAMES, type NameImport } from '../../../domain/registrar/name-import';
import type { Issue } from '../../../domain/shared/issue';
import { ValidationError } from '../../../domain/shared/validation-error';
import { RegistryDirectory } from '../../ports/registry/registries';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock, IdGenerator } from '../../ports/system';
import { ImportableRegistries } from './importable-registries';

interface StartImportCommand extends Requester {
  readonly registry: string;
  /** All names that the registry lists if absent. */
  readonly names?: readonly string[] | undefined;
}

/**
 * Starts an import of names that our account at a registry holds; `ImportRunner` adopts them in the background. Safe to
 * repeat: names that the account has stay as they are. @throws LimitedKey, ValidationError
 */
@injectable()
export class StartImport {
  constructor(
    @inject(ImportableRegistries) private readonly registries: ImportableRegistries,
    @inject(RegistryDirectory) private readonly directory: RegistryDirectory,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'imports' | HookStore>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(
    { accountId, actor, registry, names: given }: StartImportCommand,
    hook?: TransactionHook<NameImport>,
  ): Promise<NameImport> {
    assertActionAllowed(actor, 'register');
    await this.registries.require(registry, { accountId, actor });
    const names = given && this.parse(given, registry);
    for (const name of names ?? []) assertNameAllowed(actor, name);
    if (!names && seesSomeDomains(actor)) assertWholeAccountAllowed(actor);
    const now = this.clock.now();
    const started: NameImport = {
      id: this.ids.next('imp'),
      accountId,
      actor,
      registry,
      status: names ? 'running' : 'listing',
      cursor: null,
      error: null,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    };
    return this.unitOfWork.run(async (stores) => {
      await stores.imports.add(started);
      if (names) await stores.imports.addNames(started.id, names);
      await hook?.(stores, started);
      return started;
    }, accountId);
  }

  /** @throws ValidationError about every name that is invalid or that the registry does not serve */
  private parse(given: readonly string[], registry: string): readonly string[] {
    if (given.length === 0 || given.length > MAX_IMPORTED_NAMES)
      throw ValidationError.of('names', `must have 1 to ${MAX_IMPORTED_NAMES} names`);
    const issues: Issue[] = [];
    const names = new Set<string>();
    for (const [index, text] of given.entries()) {
      const path = `names[${index}]`;
      try {
        const name = DomainName.parse(text, path);
        if (this.directory.registryFor(name)?.registry === registry) names.add(name.value);
        else issues.push({ path, message: `is not under a TLD of ${registry}` });
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        issues.push(...error.issues);
      }
    }
    if (issues.length > 0) throw new ValidationError(issues);
    return [...names];
  }
}
