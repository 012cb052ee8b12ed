import { ContainerModule } from 'inversify';
import { RegistrySandbox } from '../application/ports/registry/registry-sandbox';
import type { Config } from '../config';
import { ApiRoutes, apiRoutes } from '../http/api/routes';
import { HttpSettings } from '../http/app';

/** Without a simulated registry, the routes of the sandbox do not exist. */
export function httpModule({ trustProxy }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(HttpSettings).toConstantValue({ trustProxy });
    bind(ApiRoutes)
      .toDynamicValue((context) =>
        apiRoutes((controller) => context.get(controller), {
          sandbox: context.get(RegistrySandbox, { optional: true }) !== undefined,
        }),
      )
      .inSingletonScope();
  });
}
