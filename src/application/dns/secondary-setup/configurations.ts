import { bindConfig } from './bind-config';
import { knotConfig } from './knot-config';
import type { NameserverSetup } from './nameserver-setup';
import { nsdConfig } from './nsd-config';
import { powerdnsSetup } from './powerdns-setup';

interface Configuration {
  readonly program: string;
  /** The data folder of the Debian package. */
  readonly folder: string;
  readonly write: (setup: NameserverSetup) => string;
}

/** How each nameserver program becomes a secondary, for the command line, the dashboard and docs/nameservers.md. */
export const CONFIGURATIONS = {
  knot: { program: 'Knot DNS', folder: '/var/lib/knot', write: knotConfig },
  bind: { program: 'BIND', folder: '/var/cache/bind', write: bindConfig },
  nsd: { program: 'NSD', folder: '/var/lib/nsd', write: nsdConfig },
  powerdns: { program: 'PowerDNS', folder: '/var/lib/powerdns', write: powerdnsSetup },
} satisfies Readonly<Record<string, Configuration>>;
