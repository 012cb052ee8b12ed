import { loadConfig } from '../../../src/config';
import type { LiveContract } from '../../../src/infrastructure/registry/doctor/run-live-contract';
import { prepareRegistries } from '../../../src/infrastructure/registry/routing/prepare-registries';
import { createRegistryContext, registryContract } from '../../../src/testing';

/** The contract against a vendor's sandbox: `npm run admin -- registry doctor NAME --live-sandbox`. Never in CI. */
const { registry, tld, unsupported } = JSON.parse(process.env['REGISTRAR_LIVE'] ?? '{}') as LiveContract;

registryContract(
  `registry contract: ${registry} at its sandbox`,
  async () => {
    const config = loadConfig(process.env);
    const { registries } = await prepareRegistries(config, process.env);
    const found = registries.find(({ name }) => name === registry);
    if (!found) throw new TypeError(`${registry} is not a registry that is configured`);
    const { name, factory, settings, tlds } = found;
    const context = { ...createRegistryContext(), name, settings, tlds, currency: config.currency };
    const start = () => factory(context);
    let running = await start();
    if (running.diagnostics?.isSandbox !== true) throw new TypeError(`${registry} is not a sandbox`);
    return {
      registry: running.port,
      reopen: async () => {
        await running.close();
        running = await start();
        return running.port;
      },
      close: () => running.close(),
    };
  },
  { tld, unsupported },
);
