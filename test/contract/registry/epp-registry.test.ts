import { readFileSync } from 'node:fs';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { childOf, tokenOf } from '../../../src/infrastructure/registry/epp/codec/xml-element';
import { EppSession, newTransactionId } from '../../../src/infrastructure/registry/epp/session/epp-session';
import { eppSettings, loadEppSettings } from '../../../src/infrastructure/registry/epp/epp-settings';
import { moneyOf } from '../../../src/infrastructure/registry/epp/mapping/amounts';
import { checkDomains } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { PROFILES } from '../../../src/infrastructure/registry/epp/profiles/load-profile';
import { startEpp } from '../../../src/infrastructure/registry/epp/start-epp';
import type { RegistryContext, RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import { createRegistryContext } from '../../../src/testing/create-registry-context';
import type { RegistryFeature } from '../../../src/domain/registration/names/tld-policy';
import { registryContract, type RegistryUnderTest } from '../../../src/testing/registry-contract';
import type { TestControls } from '../../../src/testing/test-controls';
import type * as fixtures from '../../../src/testing/registry-fixtures';
import { freshName, RUN } from '../../../src/testing/registry-fixtures';
import { startSandboxRegistry } from '../../support/epp/sandbox-registry';
import { LaggingReads } from '../../support/registries/lagging-reads';
import { ALL_CONTROLS, eppControls } from '../../support/registries/test-controls';
import { describeOrSkip } from '../../support/describe-or-skip';

const WITHOUT_NAMES_FILE: readonly RegistryFeature[] = ['registrar_renewal', 'hosted_zone', 'list'];
/** Features that the adapter cannot find out about by itself. */
const INTEROP_UNSUPPORTED = (process.env['EPP_INTEROP_UNSUPPORTED'] ?? '').split(',').filter((each) => each !== '');

/** Starts the adapter as the service does; `reopen` starts it again. */
async function startAdapter(
  context: RegistryContext,
  cleanUp: () => Promise<void> = async () => undefined,
  controls: TestControls = {},
): Promise<RegistryUnderTest> {
  const start = () => startEpp(context);
  let running: RunningRegistry = await start();
  const reads = new LaggingReads();
  return {
    registry: reads.of(running.port),
    controls: { ...controls, lagReads: reads.lagReads },
    reopen: async () => {
      await running.close();
      running = await start();
      return reads.of(running.port);
    },
    close: async () => {
      await running.close();
      await cleanUp();
    },
  };
}

async function onSandbox(hostsAre: 'objects' | 'attributes', dsRecordsAre: 'ds' | 'keys'): Promise<RegistryUnderTest> {
  const sandbox = await startSandboxRegistry({ hostsAre, dsRecordsAre });
  const { id, password } = sandbox.registrars.first;
  const settings = {
    host: sandbox.host,
    port: sandbox.port,
    ca: sandbox.certificate.certificate,
    client_id: id,
    password,
    hosts: hostsAre,
    dnssec: dsRecordsAre,
  };
  return startAdapter(
    createRegistryContext({ settings }),
    async () => {
      const schemaErrors = await sandbox.faults();
      await sandbox.stop();
      if (schemaErrors.length > 0) throw new Error(`frames violate the schemas:\n${schemaErrors.join('\n')}`);
    },
    eppControls(sandbox, hostsAre === 'objects' ? 'object' : 'attribute'),
  );
}

registryContract(
  'EPP adapter contract: sandbox registry with host objects and DS data',
  () => onSandbox('objects', 'ds'),
  {
    controls: ALL_CONTROLS,
    unsupported: WITHOUT_NAMES_FILE,
  },
);
registryContract(
  'EPP adapter contract: sandbox registry with host attributes and keys',
  () => onSandbox('attributes', 'keys'),
  {
    controls: ALL_CONTROLS,
    unsupported: WITHOUT_NAMES_FILE,
  },
);

/**
 * Runs the contract against another EPP server. docs/epp.md (Interoperability tests) explains the EPP_INTEROP_ variables.
 */
const {
  EPP_INTEROP_URL,
  EPP_INTEROP_TLD = 'com',
  EPP_INTEROP_CA,
  EPP_INTEROP_HOSTS,
  EPP_INTEROP_PROFILE = 'rfc',
  EPP_INTEROP_OPTIONS = '{}',
  EPP_INTEROP_PRICE = '10.00 USD',
} = process.env;

/** The currency of the registry's fees; undefined without the fee extension. */
async function currencyOf(settings: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const { session: sessionSettings } = await loadEppSettings({
    name: 'interop',
    settings,
    tlds: [{ suffix: EPP_INTEROP_TLD }],
  });
  const { clientId, passwords } = sessionSettings;
  const credentials = { clientId, password: passwords[0] };
  const session = await EppSession.open({ ...sessionSettings, credentials }, createRegistryContext().log);
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

/** One amount for everything, or those of a registration, a renewal and a restore; then the currency. */
function interopPrices(written: string) {
  const words = written.split(' ');
  const [currency = '', ...amounts] = words.toReversed();
  const [registration, renewal = registration, restore = registration] = amounts
    .toReversed()
    .map((amount) => moneyOf(amount, currency));
  if (!registration || !renewal || !restore || ![1, 3].includes(amounts.length))
    throw new TypeError('EPP_INTEROP_PRICE must be one or three amounts and a currency, like 10.00 EUR');
  return { currency, price: { registration, renewal, restore } };
}

it.each([
  ['10.00 EUR', [1_000, 1_000, 1_000]],
  ['8.00 9.50 60.00 EUR', [800, 950, 6_000]],
])('another EPP server takes its prices from EPP_INTEROP_PRICE: %s', (written, minor) => {
  const { currency, price } = interopPrices(written);

  expect(currency).toBe('EUR');
  expect([price.registration, price.renewal, price.restore].map((each) => each.minor)).toEqual(minor);
});

/** The hosts that a run makes with these environment variables. */
function hostsWith(environment: Readonly<Record<string, string>>): readonly string[] {
  const { env } = process;
  let hosts: readonly string[] = [];
  process.env = { ...env, ...environment };
  jest.isolateModules(() => {
    hosts = jest.requireActual<typeof fixtures>('../../../src/testing/registry-fixtures').freshHosts(2).hosts;
  });
  process.env = env;
  return hosts;
}

it('another EPP server gets nameservers with EPP_INTEROP_HOST_PREFIX, other ones in each run', () => {
  expect(hostsWith({ EPP_INTEROP_HOST_PREFIX: 'ours', CONTRACT_RUN: 'run1' })).toEqual([
    'ns1.ours-run1-3.example.net',
    'ns2.ours-run1-4.example.net',
  ]);
  expect(hostsWith({ CONTRACT_RUN: 'run2' })[0]).toBe('ns1.hosts-run2-3.example.net');
});

async function onExternalServer(url: string): Promise<RegistryUnderTest> {
  const { hostname, port, username, password } = new URL(url);
  const ca = EPP_INTEROP_CA === undefined ? {} : { ca: readFileSync(EPP_INTEROP_CA, 'utf8') };
  const settings = {
    host: hostname,
    ...(port !== '' && { port: Number(port) }),
    client_id: decodeURIComponent(username),
    password: decodeURIComponent(password),
    profile: EPP_INTEROP_PROFILE,
    options: JSON.parse(EPP_INTEROP_OPTIONS) as object,
    ...(EPP_INTEROP_HOSTS !== undefined && { hosts: EPP_INTEROP_HOSTS }),
    unsupported: INTEROP_UNSUPPORTED,
    ...ca,
  };
  process.stdout.write(`EPP interop: CONTRACT_RUN=${RUN}\n`);
  const { currency, price } = interopPrices(EPP_INTEROP_PRICE);
  const context = {
    ...createRegistryContext({ settings }),
    tlds: [{ suffix: EPP_INTEROP_TLD, price }],
  };
  return startAdapter({ ...context, currency: (await currencyOf(settings)) ?? currency });
}

describeOrSkip(EPP_INTEROP_URL === undefined ? 'EPP_INTEROP_URL is not set' : undefined)('another EPP server', () => {
  registryContract('EPP adapter contract: external server', () => onExternalServer(EPP_INTEROP_URL ?? ''), {
    tld: EPP_INTEROP_TLD,
    unsupported: interopUnsupported(),
  });
});

/** What the profile lacks, and what the environment says. */
function interopUnsupported(): readonly RegistryFeature[] {
  const settings = { host: 'any', client_id: 'any', password: 'any-password', unsupported: INTEROP_UNSUPPORTED };
  return eppSettings({ name: 'interop', settings }, PROFILES[EPP_INTEROP_PROFILE]).unsupported;
}
