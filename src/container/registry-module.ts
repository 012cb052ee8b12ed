import { ContainerModule } from 'inversify';
import { LifecycleClock } from '../application/ports/system';
import {
  RegistryDirectory,
  NameListings,
  AccountRegistries,
  MessageQueues,
} from '../application/ports/registry/registries';
import { RegistryPort } from '../application/ports/registry/registry-port';
import { RegistrySandbox } from '../application/ports/registry/registry-sandbox';
import { TldPolicies } from '../domain/registration/names/tld-policy';
import type { RunningRegistries } from '../infrastructure/registry/routing/open-registries';
import { SystemClock } from '../infrastructure/system/system-clock';

/** The lifecycle clock is the registry's clock, if it has one (sandbox). */
export function registryModule({
  port,
  accounts,
  directory,
  queues,
  listings,
  sandbox,
  clock,
}: RunningRegistries): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(RegistryPort).toConstantValue(port);
    bind(TldPolicies)
      .toDynamicValue(() => new TldPolicies(port.policies()))
      .inSingletonScope();
    bind(AccountRegistries).toConstantValue(accounts);
    bind(RegistryDirectory).toConstantValue(directory);
    bind(MessageQueues).toConstantValue(queues);
    bind(NameListings).toConstantValue(listings);
    bind(LifecycleClock).toConstantValue(clock ?? new SystemClock());
    if (sandbox) bind(RegistrySandbox).toConstantValue(sandbox);
  });
}
