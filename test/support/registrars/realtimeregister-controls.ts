import type { TestControls } from '../../../src/testing/test-controls';
import type { RecordedVendor } from '../../../src/testing/vendor/recorded-vendor';
import { vendorControls, type VendorCommands } from '../../../src/testing/vendor/vendor-controls';

/** The operations of the commands, for `vendorControls`. */
export const REALTIMEREGISTER_COMMANDS: VendorCommands = {
  register: ['createDomain'],
  renew: ['renewDomain'],
  setNameservers: ['updateDomain'],
  setRegistrant: ['updateDomain'],
  setTransferLock: ['updateDomain'],
  issueAuthCode: ['updateDomain'],
  withdrawAuthCode: ['updateDomain'],
  restore: ['restoreDomain'],
  delete: ['deleteDomain'],
  requestTransfer: ['transferDomain'],
  cancelTransfer: ['cancelProcess'],
  setDsRecords: ['updateDomain'],
};
/** How the path of a command ends after the name. A quote has a query behind it. */
const ENDS: Readonly<Record<string, string>> = {
  createDomain: ' ',
  renewDomain: '/renew ',
  updateDomain: '/update ',
  restoreDomain: '/restore ',
  deleteDomain: ' ',
  transferDomain: '/transfer ',
};

/** The test controls of the stand-in, for `registryContract`. */
export function realtimeRegisterControls(vendor: RecordedVendor): TestControls {
  return {
    ...vendorControls(vendor, REALTIMEREGISTER_COMMANDS),
    loseNextResponse: async (name, command) => {
      const operations = REALTIMEREGISTER_COMMANDS[command] ?? [];
      const end = ENDS[operations[0] ?? ''];
      vendor.injectFault({
        kind: 'lost_response',
        operations,
        ...(end !== undefined && { name: `${name.value}${end}` }),
      });
    },
  };
}
