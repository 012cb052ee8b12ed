import { LIMITED_FEATURES } from 'namewright-adapter';
import { createRegistryContext, registryContract } from 'namewright-adapter-testing';
import acme from '../src/acme-registry';
import { AcmeServer } from './acme-server';

const COMMANDS = { registration: 'register', renewal: 'renew', restore: 'restore', transfer: 'transfer' };

registryContract(
  'Acme',
  async () => {
    const server = new AcmeServer();
    const settings = { url: await server.start(), token: server.token };
    const context = createRegistryContext({ settings, tlds: ['com'] });
    const start = () => acme(context);
    const { port } = await start();
    return {
      registry: port,
      reopen: async () => (await start()).port,
      close: () => server.stop(),
      controls: {
        loseNextResponse: async (name) => server.loseNextResponse(name.value),
        lagReads: async (name) => {
          const catchUp = server.lagReads(name.value);
          return async () => catchUp();
        },
        charges: async (name, kind) => server.charges(name.value, COMMANDS[kind]),
      },
    };
  },
  {
    tld: 'com',
    unsupported: ['add_grace', ...LIMITED_FEATURES],
    controls: ['loseNextResponse', 'lagReads', 'charges'],
  },
);
