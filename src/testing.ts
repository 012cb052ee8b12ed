/** `namewright-adapter-testing`: the contract tests of registry adapters, for Jest. */
export { createRegistryContext, createStoredValues } from './testing/create-registry-context';
export { registryContract, type ContractOptions, type RegistryUnderTest } from './testing/registry-contract';
export type { ChangingCommand, ChargedKind, NameElsewhere, TestControl, TestControls } from './testing/test-controls';
export {
  fillRecordedResponse,
  parseRecordedResponse,
  type RecordedResponse,
} from './testing/vendor/recorded-responses';
export {
  RecordedVendor,
  type RecordedVendorOptions,
  type VendorHandler,
  type VendorRequest,
  type VendorResponse,
} from './testing/vendor/recorded-vendor';
export { VENDOR_CONTROLS, vendorControls, type VendorCommands } from './testing/vendor/vendor-controls';
export type { OpenApiDocument } from './testing/vendor/vendor-document';
export type { VendorFault } from './testing/vendor/vendor-faults';
export {
  VendorState,
  type VendorDomain,
  type VendorLedgerEntry,
  type VendorTransfer,
} from './testing/vendor/vendor-state';
