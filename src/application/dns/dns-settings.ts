import { token } from '../ports/inject';
import type { ZoneLimits } from '../../domain/dns/zone-rules';
import type { SoaSettings } from '../../domain/dns/start-of-authority';
import type { ZoneNameRules } from '../../domain/dns/zone-names/reserved-names';

export type ZoneLimitSettings = ZoneLimits;
export const ZoneLimitSettings = token<ZoneLimitSettings>('ZoneLimitSettings');

export type ZoneNameSettings = ZoneNameRules;
export const ZoneNameSettings = token<ZoneNameSettings>('ZoneNameSettings');

/** Our nameservers, to which a name is delegated by default. */
export interface NameserverSettings {
  readonly defaultNameservers: readonly string[];
}
export const NameserverSettings = token<NameserverSettings>('NameserverSettings');

/** How long a zone's past is kept: for so many days, and so many versions at least. */
export interface HistorySettings {
  readonly days: number;
  readonly versions: number;
}
export const HistorySettings = token<HistorySettings>('HistorySettings');

export type AuthoritySettings = SoaSettings;
export const AuthoritySettings = token<AuthoritySettings>('AuthoritySettings');
