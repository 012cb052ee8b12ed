import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import type { NameserverSetup } from './nameserver-setup';

/** Knot's default is one transfer per processor. Workers mostly wait for our response, so two of them cannot keep up with fifty changes a second. */
const CONCURRENT_TRANSFERS = 16;

/**
 * Knot plans its own NOTIFY a second after a transfer, even without recipients. Until then, it defers the next transfer of that zone
 * (Knot 3.2, `_zone_events_schedule_at`).
 */
const NO_NOTIFY = '    block-notify-after-transfer: on\n';

/** A complete knot.conf for Knot DNS 3.1 and later. Zones are stored in the journal, so that Knot serves them while we are down. */
export function knotConfig({ secondary, key, secret, primaries, catalogZone, folder }: NameserverSetup): string {
  const remotes = primaries.map((primary, index) => ({ id: `namewright-${index + 1}`, primary }));
  const masters = `[${remotes.map(({ id }) => id).join(', ')}]`;
  const addresses = [...new Set(primaries.map(({ address }) => address))];
  return `# Knot DNS as the secondary "${secondary.name}". Contains a secret: make it readable only by knotd.
server:
    rundir: "${folder}"
    listen: ${at(secondary.endpoint)}
    tcp-reuseport: on
    background-workers: ${CONCURRENT_TRANSFERS}
    remote-pool-limit: ${CONCURRENT_TRANSFERS}

database:
    storage: "${folder}"

log:
  - target: stderr
    any: warning

key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${secret}

remote:
${remotes.map(({ id, primary }) => `  - id: ${id}\n    address: ${at(primary)}\n    key: ${key.name}\n${NO_NOTIFY}`).join('')}
acl:
  - id: namewright
    address: [${addresses.join(', ')}]
    key: ${key.name}
    action: [notify, transfer]
${secondary.signs ? SIGNING_POLICY : ''}
template:
  - id: default
    storage: "${folder}"
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
  - id: member
    storage: "${folder}"
    master: ${masters}
    acl: namewright
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
${secondary.signs ? SIGNING : ''}
zone:
  - domain: ${catalogZone}
    master: ${masters}
    acl: namewright
    catalog-role: interpret
    catalog-template: member
`;
}

const SIGNING_POLICY = `
policy:
  - id: namewright
    algorithm: ecdsap256sha256
    single-type-signing: on
    cds-cdnskey-publish: always
`;
const SIGNING = `    dnssec-signing: on
    dnssec-policy: namewright
    serial-policy: unixtime
`;

function at({ address, port }: Endpoint): string {
  return `${address}@${port}`;
}
