import type { ChangingCommand, TestControls } from '../test-controls';
import type { RecordedVendor } from './recorded-vendor';

/** For each command of the port, the vendor's operations that change something. The response of the last one is lost. */
export type VendorCommands = Readonly<Partial<Record<ChangingCommand, readonly string[]>>>;

/** The test controls of a stand-in, for `registryContract`. */
export function vendorControls(
  vendor: RecordedVendor,
  commands: VendorCommands,
): Required<Pick<TestControls, 'advance' | 'loseNextResponse' | 'requestTransfer'>> {
  return {
    advance: async (days) => vendor.state.advance(days),
    loseNextResponse: async (name, command) => {
      const operations = commands[command];
      if (!operations) throw new TypeError(`the stand-in has no operation for ${command}`);
      vendor.injectFault({ kind: 'lost_response', operations, name: name.value });
    },
    requestTransfer: async (name, authCode) => vendor.state.requestTransferOut(name.value, authCode),
  };
}
