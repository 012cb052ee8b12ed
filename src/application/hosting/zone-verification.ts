import { token } from '../ports/inject';
import type { ZONE_VERIFICATIONS } from '../../domain/dns/zone-names/zone-ownership';

/** The operator's setting. */
export type ZoneVerification = (typeof ZONE_VERIFICATIONS)[number];
export const ZoneVerification = token<ZoneVerification>('ZoneVerification');
