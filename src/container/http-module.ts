import { ContainerModule } from 'inversify';
import { RegistrySandbox } from '../application/ports/registry/registry-sandbox';
import type { Config } from '../config';
import { BulkController } from '../http/api/controllers/bulk-controller';
import { DsController } from '../http/api/controllers/dns/ds-controller';
import { DomainsController } from '../http/api/controllers/domains-controller';
import { HealthController } from '../http/api/controllers/health-controller';
import { ImportsController } from '../http/api/controllers/imports-controller';
import { KeysController } from '../http/api/controllers/keys-controller';
import { OperationsController } from '../http/api/controllers/operations-controller';
import { PublicationController } from '../http/api/controllers/dns/publication-controller';
import { RecordsController } from '../http/api/controllers/dns/records-controller';
import { RegistrationController } from '../http/api/controllers/registration-controller';
import { OtherRegistrarController, SandboxController } from '../http/api/controllers/sandbox-controller';
import { SettingsController, TransferOutController } from '../http/api/controllers/settings-controller';
import { SigningController } from '../http/api/controllers/dns/signing-controller';
import { TemplatesController } from '../http/api/controllers/dns/templates-controller';
import { TransfersController } from '../http/api/controllers/transfers-controller';
import { ZoneSourcesController } from '../http/api/controllers/dns/zone-sources-controller';
import { ZoneController } from '../http/api/controllers/dns/zone-controller';
import { ApiRoutes, apiRoutes } from '../http/api/routes';
import { HttpSettings } from '../http/app';

/** Without a simulated registry, the routes of the sandbox do not exist. */
export function httpModule({ trustProxy }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(HttpSettings).toConstantValue({ trustProxy });
    bind(ApiRoutes)
      .toDynamicValue((context) =>
        apiRoutes({
          domains: context.get(DomainsController),
          registration: context.get(RegistrationController),
          settings: context.get(SettingsController),
          transferOut: context.get(TransferOutController),
          signing: context.get(SigningController),
          ds: context.get(DsController),
          records: context.get(RecordsController),
          templates: context.get(TemplatesController),
          zone: context.get(ZoneController),
          health: context.get(HealthController),
          publication: context.get(PublicationController),
          zoneSources: context.get(ZoneSourcesController),
          imports: context.get(ImportsController),
          bulk: context.get(BulkController),
          keys: context.get(KeysController),
          operations: context.get(OperationsController),
          transfers: context.get(TransfersController),
          ...(context.get(RegistrySandbox, { optional: true }) && {
            sandbox: context.get(SandboxController),
            otherRegistrar: context.get(OtherRegistrarController),
          }),
        }),
      )
      .inSingletonScope();
  });
}
