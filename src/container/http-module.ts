import { ContainerModule } from 'inversify';
import { RegistrySandbox } from '../application/ports/registry/registry-sandbox';
import type { Config } from '../config';
import { ApiRouteTable } from '../http/api/find-route';
import { ApiRoutes } from '../http/api/route';
import { apiRoutes } from '../http/api/routes';
import { HttpSettings } from '../http/app';
import { McpSettings } from '../http/mcp/allowed-hosts';
import { McpTools, TOOLS } from '../http/mcp/tools';

/** Without a simulated registry, the routes of the sandbox do not exist. */
export function httpModule({ trustProxy, publicUrl, mcpHosts }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(HttpSettings).toConstantValue({ trustProxy });
    bind(McpSettings).toConstantValue({ publicUrl, hosts: mcpHosts });
    bind(McpTools).toConstantValue(TOOLS);
    bind(ApiRoutes)
      .toDynamicValue((context) =>
        apiRoutes((controller) => context.get(controller), {
          sandbox: context.get(RegistrySandbox, { optional: true }) !== undefined,
        }),
      )
      .inSingletonScope();
    // A function, because controllers that need the routes are part of them.
    bind(ApiRouteTable)
      .toDynamicValue((context) => () => context.get(ApiRoutes))
      .inSingletonScope();
  });
}
