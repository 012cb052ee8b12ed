import type { RegistryContext, RunningRegistry } from '../registry-adapter';
import { policyOf } from '../tld-rules';
import { EppClient } from './session/epp-client';
import { EppRegistry } from './epp-registry';
import { EppSession } from './session/epp-session';
import { EppSessionPool } from './session/epp-session-pool';
import { eppSettings } from './epp-settings';

/** The factory of the EPP adapter. Connects on the first command. @throws SettingsRejected */
export async function startEpp(context: RegistryContext): Promise<RunningRegistry> {
  const { session, pool, ...rest } = eppSettings(context);
  const { log, clock, currency } = context;
  const client = new EppClient(new EppSessionPool(() => EppSession.open(session, log), pool, log));
  const tlds = context.tlds.map((rules) => ({
    ...policyOf(rules),
    unsupported: rest.unsupported,
    ...(rules.price && { price: rules.price }),
  }));
  const port = new EppRegistry(client, { ...rest, clientId: session.credentials.clientId, currency, tlds }, clock, log);
  return { port, close: () => client.close() };
}
