import { eppIssues } from './epp/epp-settings';
import { startEpp } from './epp/start-epp';
import type { RegistryFactory } from './registry-adapter';
import { simulatedIssues, startSimulated } from './sandbox/simulated/start-simulated';

/** The adapters that come with the service, by the name that the operator gives. */
export const REGISTRY_ADAPTERS = {
  simulated: Object.assign(startSimulated, { issues: simulatedIssues }),
  epp: Object.assign(startEpp, { issues: eppIssues }),
} satisfies Record<string, RegistryFactory>;

export type RegistryAdapterName = keyof typeof REGISTRY_ADAPTERS;
