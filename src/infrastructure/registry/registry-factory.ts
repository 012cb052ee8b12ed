import { startDnsimple, validateDnsimpleSettings } from './dnsimple/start-dnsimple';
import { validateEppSettings } from './epp/epp-settings';
import { startEpp } from './epp/start-epp';
import { startNamecom, validateNamecomSettings } from './namecom/start-namecom';
import type { RegistryFactory } from './registry-adapter';
import { startRealtimeRegister, validateRealtimeRegisterSettings } from './realtimeregister/start-realtimeregister';
import { validateSimulatedSettings, startSimulated } from './sandbox/simulated/start-simulated';

/** The built-in adapters, by their name in the registries file. */
export const REGISTRY_ADAPTERS = {
  simulated: Object.assign(startSimulated, { validate: validateSimulatedSettings }),
  epp: Object.assign(startEpp, { validate: validateEppSettings }),
  dnsimple: Object.assign(startDnsimple, { validate: validateDnsimpleSettings }),
  namecom: Object.assign(startNamecom, { validate: validateNamecomSettings }),
  realtimeregister: Object.assign(startRealtimeRegister, { validate: validateRealtimeRegisterSettings }),
} satisfies Record<string, RegistryFactory>;

export type RegistryAdapterName = keyof typeof REGISTRY_ADAPTERS;
