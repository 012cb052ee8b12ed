import { startNamecom } from '../../../src/infrastructure/registry/namecom/start-namecom';
import { createRegistryContext, registryContract, VENDOR_CONTROLS, vendorControls } from '../../../src/testing';
import { NAMECOM_COMMANDS, NAMECOM_CREDENTIALS, namecomServer } from '../../support/registrars/namecom-server';

registryContract(
  'registry contract: name.com adapter on a stand-in',
  async () => {
    const vendor = namecomServer();
    const settings = { ...NAMECOM_CREDENTIALS, url: await vendor.start() };
    const context = createRegistryContext({ settings });
    const start = async () => (await startNamecom(context)).port;
    return {
      registry: await start(),
      reopen: start,
      close: async () => {
        await vendor.stop();
        vendor.assertNoViolations();
      },
      controls: vendorControls(vendor, NAMECOM_COMMANDS),
    };
  },
  {
    unsupported: ['auto_renew', 'restore', 'delete', 'withdraw_auth_code', 'decide_transfer', 'messages'],
    controls: VENDOR_CONTROLS,
  },
);
