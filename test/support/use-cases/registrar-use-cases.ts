import { AdoptName } from '../../../src/application/registrar/imports/adopt-name';
import { CompareDomain } from '../../../src/application/registrar/reconciliation/compare-domain';
import { FindImport } from '../../../src/application/registrar/imports/find-import';
import { FixDifference } from '../../../src/application/registrar/reconciliation/fix-difference';
import { ImportableRegistries } from '../../../src/application/registrar/imports/importable-registries';
import { ImportName } from '../../../src/application/registrar/imports/import-name';
import { ImportRunner } from '../../../src/application/registrar/imports/import-runner';
import { ImportSteps } from '../../../src/application/registrar/imports/import-steps';
import { ListHeldNames } from '../../../src/application/registrar/imports/list-held-names';
import { StartImport } from '../../../src/application/registrar/imports/start-import';
import type {
  NameListings,
  RegistryNameListing,
  RegistryDirectory,
} from '../../../src/application/ports/registry/registries';
import { SnapshotApplier } from '../../../src/application/lifecycle/snapshot-applier';
import { DomainSync } from '../../../src/application/lifecycle/domain-sync';
import type { OperationRunner } from '../../../src/application/operations/operation-runner';
import { ReconcileRegistry } from '../../../src/application/registrar/reconciliation/reconcile-registry';
import type { UseCaseContext } from './use-case-context';

/** The registry's name in the registries file. */
export const REGISTRY = 'scripted';

/** The use cases about names that exist at the registry, as one process has them. */
export class RegistrarUseCases {
  /** Accounts that the registries file opens the registry to. */
  readonly openTo: string[] = [];
  readonly startImport: StartImport;
  readonly findImport: FindImport;
  readonly listHeldNames: ListHeldNames;
  readonly importRunner: ImportRunner;
  readonly reconcileRegistry: ReconcileRegistry;
  readonly listing: RegistryNameListing;

  constructor({ storage, registry, plan, tlds, ids, clock, lifecycleClock, log }: UseCaseContext) {
    this.listing = { registry: REGISTRY, accounts: this.openTo, list: (cursor) => registry.list(cursor) };
    const listings: NameListings = { listings: () => [this.listing] };
    const directory: RegistryDirectory = {
      registryFor: (name) => (tlds.forName(name) ? { registry: REGISTRY, concurrency: 10 } : undefined),
    };
    const registries = new ImportableRegistries(listings, storage.accounts);
    const adoptName = new AdoptName(registry, plan, ids, clock, lifecycleClock, log);
    this.startImport = new StartImport(registries, directory, storage, ids, clock);
    this.findImport = new FindImport(storage.imports);
    this.listHeldNames = new ListHeldNames(registries, storage.domains);
    const importName = new ImportName(adoptName, storage, log);
    const steps = new ImportSteps(storage.imports, storage.domains, listings, importName, storage, clock, log);
    this.importRunner = new ImportRunner(storage.imports, steps, storage.leases, log);
    const noRunner = { wake: () => undefined } as unknown as OperationRunner;
    const domainSync = new DomainSync(
      storage,
      registry,
      plan,
      new SnapshotApplier(plan, ids, clock, log),
      noRunner,
      lifecycleClock,
      log,
    );
    this.reconcileRegistry = new ReconcileRegistry(
      storage.domains,
      directory,
      new CompareDomain(registry, plan, storage, lifecycleClock),
      new FixDifference(domainSync, adoptName, storage, log),
      storage,
      clock,
      log,
    );
  }
}
