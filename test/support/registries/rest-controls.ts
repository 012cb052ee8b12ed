import { randomUUID } from 'node:crypto';
import { DomainName } from '../../../src/adapter';
import { vendorControls, type RecordedVendor, type TestControls, type VendorCommands } from '../../../src/testing';

/** The test controls of a stand-in, with those about other registrars. */
export function restControls(vendor: RecordedVendor, commands: VendorCommands): TestControls {
  const { state } = vendor;
  return {
    ...vendorControls(vendor, commands),
    nameElsewhere: async ({ tld, locked }) => {
      const { name, authCode, expiresAt } = state.addDomainElsewhere(`elsewhere-${randomUUID()}.${tld}`, { locked });
      return { name: DomainName.fromState(name), authCode, expiresAt };
    },
    decideElsewhere: async ({ value }, decision) => {
      const transfer = state.transferOf(value, 'in') ?? state.transferOf(value, 'out');
      if (transfer?.status !== 'pending') throw new TypeError(`${value} has no pending transfer`);
      if (decision === 'approve') {
        state.completeTransfer(transfer);
        return;
      }
      transfer.status = decision === 'reject' ? 'rejected' : 'cancelled';
      const charge = state.ledger.find(({ id }) => id === transfer.orderId);
      if (charge) state.refund(charge);
    },
    transferCharges: async ({ value }) =>
      state.ledger.filter(({ kind, name, status }) => kind === 'transfer' && name === value && status !== 'refunded')
        .length,
  };
}
