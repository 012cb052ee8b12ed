import { ContainerModule } from 'inversify';
import { RegistryPort } from '../application/ports/registry-port';
import { TldPolicies } from '../domain/registration/tld-policy';

export function registryModule(registry: RegistryPort): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(RegistryPort).toConstantValue(registry);
    bind(TldPolicies).toConstantValue(new TldPolicies(registry.policies()));
  });
}
