import { afnic } from './afnic';
import { dnsBelgium } from './dns-belgium';
import { eurid } from './eurid';
import { centralnic, google, identityDigital, pir } from './generic-tlds';
import { nominet } from './nominet';
import type { Personality } from './personality';
import { rfc } from './rfc';
import { sidn } from './sidn';
import { verisign } from './verisign';

/** The registries that the sandbox can play. */
export const PERSONALITIES = {
  rfc,
  afnic,
  centralnic,
  'dns-belgium': dnsBelgium,
  eurid,
  google,
  'identity-digital': identityDigital,
  nominet,
  pir,
  sidn,
  verisign,
} as const satisfies Readonly<Record<string, Personality>>;

export type PersonalityName = keyof typeof PERSONALITIES;
