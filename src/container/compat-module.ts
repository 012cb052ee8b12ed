import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Config } from '../config';
import type { CompatibilityApi } from '../config/compatibility-values';
import { AcmeDnsApi } from '../http/compat/acme/acme-dns-api';
import { HttpReqApi } from '../http/compat/acme/http-req-api';
import { CompatApis, type CompatApi } from '../http/compat/compat-api';
import { DynDnsApi, DynDnsSettings } from '../http/compat/dyndns/dyndns-api';
import { ExternalDnsApi } from '../http/compat/external-dns/external-dns-api';
import { PowerDnsApi } from '../http/compat/powerdns/powerdns-api';

/** A name that can be configured and has no API does not compile. */
const APIS: Record<CompatibilityApi, ServiceIdentifier<CompatApi>> = {
  powerdns: PowerDnsApi,
  'external-dns': ExternalDnsApi,
  httpreq: HttpReqApi,
  'acme-dns': AcmeDnsApi,
  dyndns: DynDnsApi,
};

export function compatModule({ compatibilityApis, dynDnsPlainHttp }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(DynDnsSettings).toConstantValue({ allowsPlainHttp: dynDnsPlainHttp });
    bind(CompatApis)
      .toDynamicValue((context) => compatibilityApis.map((name) => context.get(APIS[name])))
      .inSingletonScope();
  });
}
