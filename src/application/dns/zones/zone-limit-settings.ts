import type { ZoneLimits } from '../../../domain/dns/zone-rules';

export type ZoneLimitSettings = ZoneLimits;
export const ZoneLimitSettings = Symbol('ZoneLimitSettings');
