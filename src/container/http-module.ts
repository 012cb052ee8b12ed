import { ContainerModule } from 'inversify';
import type { Config } from '../config';
import { ApiResponder } from '../http/api/api-responder';
import { ApiRouter } from '../http/api/api-router';
import { DomainsController } from '../http/api/controllers/domains-controller';
import { OperationsController } from '../http/api/controllers/operations-controller';
import { PublicationController } from '../http/api/controllers/publication-controller';
import { RecordsController } from '../http/api/controllers/records-controller';
import { RegistrationController } from '../http/api/controllers/registration-controller';
import { SettingsController } from '../http/api/controllers/settings-controller';
import { ZoneController } from '../http/api/controllers/zone-controller';
import { ApiAuthentication } from '../http/api/api-authentication';
import { Idempotency } from '../http/api/idempotency';
import { HttpSettings } from '../http/shared/http-settings';

const PARTS = [
  ApiRouter,
  ApiResponder,
  ApiAuthentication,
  Idempotency,
  DomainsController,
  RegistrationController,
  SettingsController,
  PublicationController,
  RecordsController,
  OperationsController,
  ZoneController,
];

export function httpModule({ trustProxy }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<HttpSettings>(HttpSettings).toConstantValue({ trustProxy });
    for (const part of PARTS) bind<object>(part).toSelf();
  });
}
