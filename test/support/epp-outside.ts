import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { LedgerEntry, RegistrySandbox } from '../../src/application/ports/registry-sandbox';
import { DomainName } from '../../src/domain/registration/domain-name';
import { PRICE_LIST } from '../../src/infrastructure/registry/simulated/price-list';
import type { Charge } from '../../src/infrastructure/registry/simulated/registration';
import { PRICE_LIST_CURRENCY } from '../../src/infrastructure/registry/simulated/tld-offer';
import type { OutsideRegistry } from './outside-registry';
import { startSandboxRegistry, type SandboxRegistry } from './sandbox-registry';

/** The sandbox registry, to which a service speaks EPP over TLS for every TLD. Stopping it fails where a frame was not valid. */
export async function startEppOutside(): Promise<OutsideRegistry> {
  const registry = await startSandboxRegistry();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-registries-'));
  const { host, port, registrars, certificate } = registry;
  writeFileSync(join(folder, 'password'), registrars.first.password);
  writeFileSync(join(folder, 'ca.pem'), certificate.certificate);
  const settings = { host, port, client_id: registrars.first.id, password: { file: 'password' }, ca: { file: 'ca.pem' }, sessions: 8 };
  const file = join(folder, 'registries.yaml');
  const rules = Object.fromEntries(PRICE_LIST.map(({ suffix, years, nameservers }) => [suffix, { years, nameservers }]));
  writeFileSync(file, stringify({ registries: { sandbox: { adapter: 'epp', tlds: Object.keys(rules), rules, settings } } }));
  return {
    settings: { REGISTRIES_FILE: file },
    sandbox: handsOn(registry),
    stop: async () => {
      const faults = await registry.faults();
      await registry.stop();
      rmSync(folder, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`frames against the schemas:\n${faults.join('\n')}`);
    },
  };
}

function handsOn({ server, registrars }: SandboxRegistry): RegistrySandbox {
  return {
    time: async () => server.advance(0),
    advance: async (days) => server.advance(days),
    injectFault: async (fault) => server.faults.inject(fault),
    faults: async () => {
      throw new Error('its faults are those of the wire');
    },
    clearFaults: async () => server.faults.clear(),
    transferOut: async () => {
      throw new Error('another registrar has to speak EPP for that');
    },
    ledger: async () => (await server.charges(registrars.first.id)).flatMap((charge) => entryOf(charge) ?? []),
  };
}

function entryOf({ at, kind, name, years, amount, transactionId }: Charge): LedgerEntry | undefined {
  if (kind === 'transfer') return undefined;
  return { at, kind, name: DomainName.restore(name), years, amount: { minor: amount, currency: PRICE_LIST_CURRENCY }, transactionId };
}
