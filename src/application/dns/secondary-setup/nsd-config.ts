import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import type { NameserverSetup } from './nameserver-setup';

const DNS_PORT = 53;

/** The lines of nsd.conf for NSD 4, which reads no catalog zones before 4.9: `nsd-control addzone NAME namewright` adds a zone. */
export function nsdConfig({ secondary, key, secret, primaries, folder }: NameserverSetup): string {
  const { address, port } = secondary.endpoint;
  const addresses = [...new Set(primaries.map((primary) => primary.address))];
  return `server:
  ip-address: ${address}@${port}
  zonesdir: "${folder}"
remote-control:
  control-enable: yes
key:
  name: "${key.name}"
  algorithm: ${key.algorithm}
  secret: "${secret}"
pattern:
  name: "namewright"
  zonefile: "%s.zone"
${primaries.map((primary) => `  request-xfr: ${at(primary)} ${key.name}`).join('\n')}
${addresses.map((primary) => `  allow-notify: ${primary} ${key.name}`).join('\n')}
`;
}

function at({ address, port }: Endpoint): string {
  return port === DNS_PORT ? address : `${address}@${port}`;
}
