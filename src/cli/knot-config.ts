import type { Endpoint } from '../domain/dns/secondary';
import type { NameserverSetup } from './nameserver-setup';

/** By default a transfer for each processor: a worker does little but wait for our answer, and behind two of those fifty changes a second queue up. */
const TRANSFERS_AT_A_TIME = 16;

/** A whole knot.conf for Knot DNS 3.1 and newer. Zones are kept in its journal, so that it serves them while we are away. */
export function knotConfig({ secondary, key, primaries, catalogZone, folder }: NameserverSetup): string {
  const remotes = primaries.map((primary, index) => ({ id: `namewright-${index + 1}`, primary }));
  const masters = `[${remotes.map(({ id }) => id).join(', ')}]`;
  const addresses = [...new Set(primaries.map(({ address }) => address))];
  return `# Knot DNS as the secondary "${secondary.name}". Holds a secret: readable by knotd alone.
server:
    rundir: "${folder}"
    listen: ${at(secondary.endpoint)}
    tcp-reuseport: on
    background-workers: ${TRANSFERS_AT_A_TIME}
    remote-pool-limit: ${TRANSFERS_AT_A_TIME}

database:
    storage: "${folder}"

log:
  - target: stderr
    any: warning

key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret.toString('base64')}

remote:
${remotes.map(({ id, primary }) => `  - id: ${id}\n    address: ${at(primary)}\n    key: ${key.name}\n`).join('')}
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
