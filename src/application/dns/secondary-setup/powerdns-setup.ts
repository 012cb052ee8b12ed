import { endpointText } from '../../../domain/dns/secondaries/secondary';
import type { NameserverSetup } from './nameserver-setup';

/** A shell script that sets up PowerDNS 4.7 and later with SQLite as a consumer of the catalog zone (RFC 9432). */
export function powerdnsSetup({ secondary, key, secret, primaries, catalogZone, folder }: NameserverSetup): string {
  const { address, port } = secondary.endpoint;
  return `#!/bin/sh
# PowerDNS as the secondary "${secondary.name}": run this once (packages pdns-server, pdns-backend-sqlite3, sqlite3), then
#   pdns_server --config-dir='${folder}'
# Contains a secret.
set -eu
umask 027
cd '${folder}'
cat >pdns.conf <<'CONFIGURATION'
launch=gsqlite3
gsqlite3-database=${folder}/pdns.sqlite3
gsqlite3-dnssec=yes
gsqlite3-pragma-synchronous=1
socket-dir=${folder}
local-address=${address}
local-port=${port}
secondary=yes
allow-notify-from=${[...new Set(primaries.map((primary) => primary.address))].join(',')}
allow-unsigned-notify=no
allow-axfr-ips=
xfr-cycle-interval=1
# A query during a transfer would put the records before it into these caches, beside the new serial, for up to a minute.
query-cache-ttl=0
negquery-cache-ttl=0
webserver=no
api=no
loglevel=4
CONFIGURATION
sqlite3 pdns.sqlite3 </usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql
# PowerDNS does not use the catalog's TSIG key for its member zones, so this trigger sets it.
sqlite3 pdns.sqlite3 <<'TRIGGER'
CREATE TRIGGER set_tsig_key_of_members AFTER INSERT ON domains WHEN NEW.type = 'SLAVE'
BEGIN
  INSERT INTO domainmetadata (domain_id, kind, content) VALUES (NEW.id, 'AXFR-MASTER-TSIG', '${key.name}');
END;
TRIGGER
pdnsutil --config-dir=. import-tsig-key ${key.name} ${key.algorithm} '${secret}'
pdnsutil --config-dir=. create-secondary-zone ${catalogZone} ${primaries.map(endpointText).join(' ')}
pdnsutil --config-dir=. set-kind ${catalogZone} consumer
pdnsutil --config-dir=. activate-tsig-key ${catalogZone} ${key.name} secondary
`;
}
