import { startDnsimple } from '../../../src/infrastructure/registry/dnsimple/start-dnsimple';
import { createRegistryContext, registryContract, VENDOR_CONTROLS, vendorControls } from '../../../src/testing';
import { DNSIMPLE_COMMANDS, DNSIMPLE_CREDENTIALS, dnsimpleServer } from '../../support/registrars/dnsimple-server';

describe('registry contract', () => {
  registryContract(
    'DNSimple adapter on a stand-in',
    async () => {
      const vendor = dnsimpleServer();
      const settings = { ...DNSIMPLE_CREDENTIALS, url: await vendor.start() };
      const context = { ...createRegistryContext({ settings }), clock: { now: () => vendor.state.now() } };
      const start = async () => (await startDnsimple(context)).port;
      return {
        registry: await start(),
        reopen: start,
        close: async () => {
          await vendor.stop();
          vendor.assertNoViolations();
        },
        controls: vendorControls(vendor, DNSIMPLE_COMMANDS),
      };
    },
    {
      unsupported: [
        'add_grace',
        'auto_renew',
        'delete',
        'auth_code',
        'withdraw_auth_code',
        'decide_transfer',
        'messages',
      ],
      controls: VENDOR_CONTROLS,
    },
  );
});
