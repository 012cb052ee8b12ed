import { ContainerModule } from 'inversify';
import { RegistryPort } from '../application/ports/registry-port';

export function registryModule(registry: RegistryPort): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(RegistryPort).toConstantValue(registry);
  });
}
