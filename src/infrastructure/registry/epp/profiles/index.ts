import { afnic } from './afnic';
import { centralnic } from './centralnic';
import { dnsBelgium } from './dns-belgium';
import { eurid } from './eurid';
import { google } from './google';
import { identityDigital } from './identity-digital';
import { nominet } from './nominet';
import { pir } from './pir';
import { sidn } from './sidn';
import { verisign } from './verisign';
import type { RegistryProfile } from './profile';
import { rfc } from './rfc';

/** The built-in profiles, by their name in the registries file. */
export const PROFILES: Readonly<Record<string, RegistryProfile>> = Object.fromEntries(
  [rfc, afnic, centralnic, dnsBelgium, eurid, google, identityDigital, nominet, pir, sidn, verisign].map((profile) => [
    profile.name,
    profile,
  ]),
);
