import type { Zone } from '../../../../typescript/src/namewright.ts';
import { collect } from '../../program/collect.ts';
import { command } from '../../program/command.ts';
import { printable } from '../../terminal/printable.ts';

/** In CIDR notation. Names of RFC 2317 have a slash, too. */
const NETWORK = /^[\da-f.:]+\/\d+$/i;

export const zones = command({
  name: 'zones',
  arguments: ['[NAME]'],
  summary: 'list the zones, or show one',
  options: { search: { type: 'string', value: 'TEXT', description: 'only names with this part' } },
  examples: ['namewright zones', 'namewright zones my-name.com'],
  run: async (session, [name], { search }) => {
    if (name !== undefined) {
      const zone = await session.client.getZoneByName({ path: { name } });
      session.show(zone, () => linesOf(zone));
      return;
    }
    const query = { limit: 500, ...(search !== undefined && { name: search }) };
    const listed = await collect(session.client.listZones.items({ query }));
    const rows = listed.map((zone) => [
      zone.name,
      zone.kind,
      zone.status,
      zone.delegation.state,
      zone.dnssec.state,
      String(zone.records),
    ]);
    session.showTable(listed, ['NAME', 'KIND', 'STATUS', 'DELEGATION', 'DNSSEC', 'RECORDS'], rows, 'No zones.');
  },
});

export const createZone = command({
  name: 'zones create',
  arguments: ['NAME|NETWORK'],
  summary: 'create the zone of a name that is not registered here',
  details: [
    'A name at another registrar, a sub-domain, an internal name, or the network of a reverse zone, such as 192.0.2.0/24.',
    'Shows the record that proves that the name is yours, if one is needed.',
  ],
  examples: ['namewright zones create lab.my-name.com'],
  run: async (session, [given = '']) => {
    const body = NETWORK.test(given) ? { network: given } : { name: given };
    const zone = (await session.client.createZone({ body })) as Zone;
    session.show(zone, () => linesOf(zone));
  },
});

function linesOf({ name, status, kind, records, version, delegation, dnssec, verification }: Zone): string[] {
  return [
    `${name}  ${status}, ${kind === 'registered' ? 'registered here' : 'not registered here'}`,
    `Records: ${records}, version ${version}`,
    `Delegation: ${delegation.state} (${delegation.nameservers.map(printable).join(', ') || 'no nameservers'})`,
    `DNSSEC: ${dnssec.state}`,
    ...(verification === null
      ? []
      : [
          `To verify it, add ${verification.type} ${verification.name} "${verification.value}" where it is served today.`,
        ]),
  ];
}
