/** `namewright/testing`: the contract tests of registry adapters, for Jest. */
export { createRegistryContext } from './testing/create-registry-context';
export { registryContract, type ContractOptions, type RegistryUnderTest } from './testing/registry-contract';
export type { ChangingCommand, TestControl, TestControls } from './testing/test-controls';
