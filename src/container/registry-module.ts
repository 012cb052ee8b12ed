import { ContainerModule } from 'inversify';
import { LifecycleClock, type Clock } from '../application/ports/system/clock';
import { RegistryLanes } from '../application/ports/registry/registry-lanes';
import { RegistryPort } from '../application/ports/registry/registry-port';
import { RegistryQueues } from '../application/ports/registry/registry-queues';
import { RegistryShares } from '../application/ports/registry/registry-shares';
import { RegistrySandbox } from '../application/ports/registry/registry-sandbox';
import type { RunningRegistries } from '../infrastructure/registry/routing/open-registries';
import { SystemClock } from '../infrastructure/system/system-clock';

/** Domains live in the time of the registry, where it has one of its own. */
export function registryModule({ port, shares, lanes, queues, sandbox, clock }: RunningRegistries): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(RegistryPort).toConstantValue(port);
    bind(RegistryShares).toConstantValue(shares);
    bind(RegistryLanes).toConstantValue(lanes);
    bind(RegistryQueues).toConstantValue(queues);
    bind<Clock>(LifecycleClock).toConstantValue(clock ?? new SystemClock());
    if (sandbox) bind<RegistrySandbox>(RegistrySandbox).toConstantValue(sandbox);
  });
}
