import { LIMITED_FEATURES } from 'namewright/adapter';
import { createRegistryContext, registryContract } from 'namewright/testing';
import acme from '../src/acme-registry';
import { AcmeServer } from './acme-server';

registryContract(
  'Acme',
  async () => {
    const server = new AcmeServer();
    const settings = { url: await server.start(), token: server.token };
    const start = () => acme(createRegistryContext({ settings, tlds: ['com'] }));
    const { port } = await start();
    return {
      registry: port,
      reopen: async () => (await start()).port,
      close: () => server.stop(),
      controls: { loseNextResponse: async (name) => server.loseNextResponse(name.value) },
    };
  },
  { tld: 'com', unsupported: ['add_grace', ...LIMITED_FEATURES], controls: ['loseNextResponse'] },
);
