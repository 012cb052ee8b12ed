import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Config } from '../config';
import type { CompatibilityApi } from '../config/compatibility-values';
import { CompatApis, type CompatApi } from '../http/compat/compat-api';
import { PowerDnsApi } from '../http/compat/powerdns/powerdns-api';

/** A name that can be configured and has no API does not compile. */
const APIS: Record<CompatibilityApi, ServiceIdentifier<CompatApi>> = {
  powerdns: PowerDnsApi,
};

export function compatModule({ compatibilityApis }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<CompatApis>(CompatApis)
      .toDynamicValue((context) => compatibilityApis.map((name) => context.get(APIS[name])))
      .inSingletonScope();
  });
}
