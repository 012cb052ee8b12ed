import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { EppServerSettings } from '../../../src/infrastructure/registry/sandbox/epp-server/epp-server';
import { PERSONALITIES } from '../../../src/infrastructure/registry/sandbox/epp-server/personalities/personalities';
import { PRICE_LIST } from '../../../src/infrastructure/registry/sandbox/simulated/offers/price-list';
import { SimulatedRegistry } from '../../../src/infrastructure/registry/sandbox/simulated/simulated-registry';
import { SqlRegistryStore } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { PRICE_LIST_CURRENCY } from '../../../src/infrastructure/registry/sandbox/simulated/offers/tld-offer';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';
import type { ExternalRegistry } from '../registries/external-registry';
import { startSandboxRegistry, type SandboxRegistry } from './sandbox-registry';

export interface ExternalEppRegistry extends ExternalRegistry {
  readonly registry: SandboxRegistry;
}

/** A sandbox EPP server for every TLD of a service or of its personality, with its sandbox controls. `stop` throws if a frame violated the schemas. */
export async function startExternalEppRegistry(
  server: Partial<EppServerSettings> = {},
  adapter: Readonly<Record<string, unknown>> = {},
): Promise<ExternalEppRegistry> {
  const registry = await startSandboxRegistry(server);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-registries-'));
  const { host, port, registrars, certificate } = registry;
  writeFileSync(join(folder, 'password'), registrars.first.password);
  writeFileSync(join(folder, 'ca.pem'), certificate.certificate);
  const settings = {
    host,
    port,
    client_id: registrars.first.id,
    password: { file: 'password' },
    ca: { file: 'ca.pem' },
    sessions: 8,
    ...(server.personality && { profile: server.personality }),
    ...adapter,
  };
  const { priceList = PRICE_LIST } = PERSONALITIES[server.personality ?? 'rfc'];
  const file = join(folder, 'registries.yaml');
  const rules = Object.fromEntries(priceList.map(({ suffix, years, nameservers }) => [suffix, { years, nameservers }]));
  const prices = Object.fromEntries(
    priceList.map(({ suffix, prices: { registration, renewal, restore } }) => [
      suffix,
      {
        registration: registration.minor / 100,
        renewal: renewal.minor / 100,
        ...(restore && { restore: restore.minor / 100 }),
      },
    ]),
  );
  const registryRules = { tlds: Object.keys(rules), rules, ...(server.personality && { prices }) };
  writeFileSync(file, stringify({ registries: { sandbox: { adapter: 'epp', ...registryRules, settings } } }));
  const controls = new SimulatedRegistry({
    store: new SqlRegistryStore({ kind: 'sqlite', file: registry.file }),
    clock: new SystemClock(),
    currency: PRICE_LIST_CURRENCY,
    registrar: registrars.first.id,
  });
  await controls.open();
  return {
    settings: { REGISTRIES_FILE: file },
    registry,
    sandbox: controls.sandbox,
    clock: controls.clock,
    stop: async () => {
      await controls.close();
      const faults = await registry.faults();
      await registry.stop();
      rmSync(folder, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`frames violate the schemas:\n${faults.join('\n')}`);
    },
  };
}
