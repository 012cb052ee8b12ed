import { DomainName } from '../../domain/shared/domain-name';
import type { ChangingCommand, TestControl, TestControls } from '../test-controls';
import type { RecordedVendor } from './recorded-vendor';

/** For each command of the port, the vendor's operations that change something. The response of the last one is lost. */
export type VendorCommands = Readonly<Partial<Record<ChangingCommand, readonly string[]>>>;

/** The controls that every stand-in has, for the options of `registryContract`. */
export const VENDOR_CONTROLS: readonly TestControl[] = [
  'advance',
  'loseNextResponse',
  'requestTransfer',
  'nameElsewhere',
  'decideElsewhere',
  'transferCharges',
  'lagReads',
  'charges',
];

/** The test controls of a stand-in, for `registryContract`. */
export function vendorControls(vendor: RecordedVendor, commands: VendorCommands): Required<TestControls> {
  const { state } = vendor;
  return {
    advance: async (days) => state.advance(days),
    loseNextResponse: async (name, command) => {
      const operations = commands[command];
      if (!operations) throw new TypeError(`the stand-in has no operation for ${command}`);
      vendor.injectFault({ kind: 'lost_response', operations, name: name.value });
    },
    requestTransfer: async (name, authCode) => state.requestTransferOut(name.value, authCode),
    nameElsewhere: async ({ tld, locked }) => {
      const value = `elsewhere-${state.nextId()}.${tld}`;
      const { authCode, expiresAt } = state.addDomainElsewhere(value, { locked });
      return { name: DomainName.fromState(value), authCode, expiresAt };
    },
    lagReads: async ({ value }) => {
      const catchUp = vendor.lagReads(value);
      return async () => catchUp();
    },
    charges: async ({ value }, charged) =>
      state.ledger.filter(({ kind, name, status }) => kind === charged && name === value && status !== 'refunded')
        .length,
    decideElsewhere: async ({ value }, decision) => state.decideElsewhere(value, decision),
    transferCharges: async ({ value }) =>
      state.ledger.filter(({ kind, name, status }) => kind === 'transfer' && name === value && status !== 'refunded')
        .length,
  };
}
