import { ContainerModule } from 'inversify';
import { RegistryLanes } from '../application/ports/registry-lanes';
import { RegistryPort } from '../application/ports/registry-port';
import { RegistrySandbox } from '../application/ports/registry-sandbox';
import type { RunningRegistries } from '../infrastructure/registry/routing/open-registries';

export function registryModule({ port, lanes, sandbox }: RunningRegistries): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(RegistryPort).toConstantValue(port);
    bind(RegistryLanes).toConstantValue(lanes);
    if (sandbox) bind<RegistrySandbox>(RegistrySandbox).toConstantValue(sandbox);
  });
}
