import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import type { NameserverSetup } from './nameserver-setup';

const DNS_PORT = 53;

/** The lines of named.conf that make BIND 9.18 and later a secondary by the catalog zone (RFC 9432). */
export function bindConfig({ key, secret, primaries, catalogZone, folder }: NameserverSetup): string {
  const sources = primaries.map((primary) => `${at(primary)} key "${key.name}";`).join(' ');
  const addresses = [...new Set(primaries.map(({ address }) => `${address};`))].join(' ');
  return `key "${key.name}" { algorithm ${key.algorithm}; secret "${secret}"; };
options {
  directory "${folder}";
  recursion no;
  allow-transfer { none; };
  allow-notify { key "${key.name}"; };
  catalog-zones { zone "${catalogZone}" default-primaries { ${sources} } min-update-interval 1; };
};
zone "${catalogZone}" {
  type secondary;
  file "${catalogZone}.db";
  primaries { ${sources} };
  allow-query { ${addresses} };   // otherwise the service cannot see the catalog's version, and repeats NOTIFY for it
};
`;
}

function at({ address, port }: Endpoint): string {
  return port === DNS_PORT ? address : `${address} port ${port}`;
}
