import type { Endpoint } from '../domain/dns/secondary';
import type { NameserverSetup } from './nameserver-setup';

/** By default a transfer for each processor: a worker does little but wait for our answer, and behind two of those fifty changes a second queue up. */
const TRANSFERS_AT_A_TIME = 16;

/** A whole knot.conf for Knot DNS 3.1 and newer. Zones are kept in its journal, so that it serves them while we are away. */
export function knotConfig({ secondary, key, primary, catalogZone, folder }: NameserverSetup): string {
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
  - id: namewright
    address: ${at(primary)}
    key: ${key.name}

acl:
  - id: namewright
    address: ${primary.address}
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
    master: namewright
    acl: namewright
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
${secondary.signs ? SIGNING : ''}
zone:
  - domain: ${catalogZone}
    master: namewright
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
