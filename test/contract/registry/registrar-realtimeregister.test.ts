import { startRealtimeRegister } from '../../../src/infrastructure/registry/realtimeregister/start-realtimeregister';
import { createRegistryContext, registryContract, VENDOR_CONTROLS } from '../../../src/testing';
import { realtimeRegisterControls } from '../../support/registrars/realtimeregister-controls';
import { REALTIMEREGISTER_CREDENTIALS, realtimeRegisterServer } from '../../support/registrars/realtimeregister-server';

registryContract(
  'registry contract: Realtime Register adapter on a stand-in',
  async () => {
    const vendor = realtimeRegisterServer();
    const settings = { ...REALTIMEREGISTER_CREDENTIALS, url: await vendor.start() };
    const context = { ...createRegistryContext({ settings }), clock: { now: () => vendor.state.now() } };
    const start = async () => (await startRealtimeRegister(context)).port;
    return {
      registry: await start(),
      reopen: start,
      close: async () => {
        await vendor.stop();
        vendor.assertNoViolations();
      },
      controls: realtimeRegisterControls(vendor),
    };
  },
  { unsupported: ['auto_renew', 'decide_transfer', 'hosted_zone'], controls: VENDOR_CONTROLS },
);
