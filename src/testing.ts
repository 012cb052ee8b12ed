/** What holds a registry adapter to its contract in its author's own Jest: `namewright/testing`. */
export { contextFor } from './testing/context-for';
export {
  registryContract,
  type Ability,
  type ContractOptions,
  type RegistryUnderTest,
} from './testing/registry-contract';
export type { ChangingCommand, TestControl, TestControls } from './testing/test-controls';
