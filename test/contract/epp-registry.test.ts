import { readFileSync } from 'node:fs';
import { NAMESPACES } from '../../src/infrastructure/registry/epp/codec/namespaces';
import { childOf, tokenOf } from '../../src/infrastructure/registry/epp/codec/xml-element';
import { EppSession, newTransactionId } from '../../src/infrastructure/registry/epp/session/epp-session';
import { eppSettings } from '../../src/infrastructure/registry/epp/epp-settings';
import { moneyOf } from '../../src/infrastructure/registry/epp/mapping/amounts';
import { checkDomains } from '../../src/infrastructure/registry/epp/mapping/domain-commands';
import { startEpp } from '../../src/infrastructure/registry/epp/start-epp';
import type { RegistryContext, RunningRegistry } from '../../src/infrastructure/registry/registry-adapter';
import { contextFor } from '../../src/testing/context-for';
import { registryContract, type Ability, type RegistryUnderTest } from '../../src/testing/registry-contract';
import type { TestControls } from '../../src/testing/test-controls';
import { freshName, RUN } from '../../src/testing/registry-fixtures';
import { startSandboxRegistry } from '../support/epp/sandbox-registry';
import { ALL_CONTROLS, eppControls } from '../support/registries/test-controls';
import { describeOrSkip } from '../support/describe-or-skip';

/** The adapter as the service would start it, again after each restart of ours. */
async function adapterIn(
  context: RegistryContext,
  cleanUp: () => Promise<void> = async () => undefined,
  controls: TestControls = {},
): Promise<RegistryUnderTest> {
  const start = () => startEpp(context);
  let running: RunningRegistry = await start();
  return {
    registry: running.port,
    controls,
    reopen: async () => {
      await running.close();
      running = await start();
      return running.port;
    },
    close: async () => {
      await running.close();
      await cleanUp();
    },
  };
}

async function onSandbox(hostsAre: 'objects' | 'attributes'): Promise<RegistryUnderTest> {
  const sandbox = await startSandboxRegistry({ hostsAre });
  const { id, password } = sandbox.registrars.first;
  const settings = {
    host: sandbox.host,
    port: sandbox.port,
    ca: sandbox.certificate.certificate,
    client_id: id,
    password,
    hosts: hostsAre,
  };
  return adapterIn(
    contextFor({ settings }),
    async () => {
      const faults = await sandbox.faults();
      await sandbox.stop();
      if (faults.length > 0) throw new Error(`frames against the schemas:\n${faults.join('\n')}`);
    },
    eppControls(sandbox),
  );
}

registryContract('EPP to the sandbox registry, with hosts as objects', () => onSandbox('objects'), {
  controls: ALL_CONTROLS,
});
registryContract('EPP to the sandbox registry, with hosts as attributes', () => onSandbox('attributes'), {
  controls: ALL_CONTROLS,
});

/**
 * Any other EPP server: EPP_INTEROP_URL is `epp://CLIENT:PASSWORD@HOST:PORT`; EPP_INTEROP_TLD a TLD to register in,
 * EPP_INTEROP_CA a file of PEM, EPP_INTEROP_HOSTS `objects` or `attributes`, EPP_INTEROP_LACKS what the contract knows
 * as lacking, with commas between. Currency and prices are the registry's where it speaks of fees; EPP_INTEROP_PRICE
 * (`10.00 EUR`) stands in where it does not. Names of domains and hosts are new in every run: CONTRACT_RUN repeats one.
 */
const {
  EPP_INTEROP_URL,
  EPP_INTEROP_TLD = 'com',
  EPP_INTEROP_CA,
  EPP_INTEROP_HOSTS = 'objects',
  EPP_INTEROP_LACKS = '',
  EPP_INTEROP_PRICE = '10.00 USD',
} = process.env;

/** The currency in which the registry tells its fees by itself; undefined where it speaks of none. */
async function currencyOf(settings: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const { session: sessionSettings } = eppSettings({ name: 'interop', settings });
  const session = await EppSession.open(sessionSettings, contextFor().log);
  try {
    if (!session.services.extensions.includes(NAMESPACES.fee)) return undefined;
    const { extension } = await session.send(
      checkDomains([freshName(EPP_INTEROP_TLD).value], { create: 1 }),
      newTransactionId(),
    );
    return tokenOf(childOf(childOf(extension, NAMESPACES.fee, 'chkData'), NAMESPACES.fee, 'currency'));
  } finally {
    await session.close();
  }
}

async function onAnother(url: string): Promise<RegistryUnderTest> {
  const { hostname, port, username, password } = new URL(url);
  const ca = EPP_INTEROP_CA === undefined ? {} : { ca: readFileSync(EPP_INTEROP_CA, 'utf8') };
  const settings = {
    host: hostname,
    ...(port !== '' && { port: Number(port) }),
    client_id: decodeURIComponent(username),
    password: decodeURIComponent(password),
    hosts: EPP_INTEROP_HOSTS,
    ...ca,
  };
  process.stdout.write(`EPP interop: CONTRACT_RUN=${RUN}\n`);
  const [amount = '', currency = ''] = EPP_INTEROP_PRICE.split(' ');
  const price = moneyOf(amount, currency);
  if (!price) throw new TypeError('EPP_INTEROP_PRICE is an amount and a currency: 10.00 EUR');
  const context = {
    ...contextFor({ settings }),
    tlds: [{ suffix: EPP_INTEROP_TLD, price: { registration: price, renewal: price, restore: price } }],
  };
  return adapterIn({ ...context, currency: (await currencyOf(settings)) ?? currency });
}

describeOrSkip(EPP_INTEROP_URL === undefined ? 'EPP_INTEROP_URL names no other EPP server' : undefined)(
  'with another EPP server',
  () => {
    registryContract('EPP to another server', () => onAnother(EPP_INTEROP_URL ?? ''), {
      tld: EPP_INTEROP_TLD,
      lacks: EPP_INTEROP_LACKS.split(',').filter(
        (ability): ability is Ability => ability === 'price_guard' || ability === 'add_grace',
      ),
    });
  },
);
