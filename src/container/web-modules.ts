import type { KeyObject } from 'node:crypto';
import type { ContainerModule } from 'inversify';
import type { IdentityProvider } from '../application/ports/access/authentication';
import type { Config } from '../config';
import { compatModule } from './compat-module';
import { dashboardModule } from './dashboard-module';
import { httpModule } from './http-module';

/** What only a process that serves HTTP needs. The others do not load it: it has a third of all modules. */
export function webModules(
  config: Config,
  secretKey: KeyObject,
  options: { readonly sandbox: boolean; readonly providers: readonly IdentityProvider[] },
): readonly ContainerModule[] {
  return [httpModule(config), compatModule(config), dashboardModule(config, secretKey, options)];
}
