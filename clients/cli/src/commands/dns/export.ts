import { writeFileSync } from 'node:fs';
import type { Zone } from '../../../../typescript/src/namewright.ts';
import { collect } from '../../program/collect.ts';
import { command } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';
import { stateOf, yamlOf } from '../../states/write-state.ts';
import { printableLines } from '../../terminal/printable.ts';

export const exportZone = command({
  name: 'export',
  arguments: ['ZONE'],
  summary: 'write the zone file (RFC 1035) or the state of a name',
  options: {
    state: { type: 'boolean', description: 'records and settings as a state in YAML, to begin with files in Git' },
    output: { type: 'string', value: 'FILE', description: 'to a file instead of the standard output' },
  },
  examples: [
    'namewright export my-name.com --output my-name.com.zone',
    'namewright export my-name.com --state --output my-name.com.yaml',
    'namewright plan my-name.com.yaml my-name.com.zone',
  ],
  run: async (session, [name = ''], { state, output }) => {
    const zone = await session.client.getZoneByName({ path: { name } });
    const text = state ? await stateText(session, zone) : await zoneFile(session, zone);
    if (output !== undefined) {
      writeFileSync(output, text);
      session.show({ zone: zone.name, file: output }, () => `Wrote ${output}.`);
      return;
    }
    // A program gets it as it is.
    const shown = session.terminal.outputIsTerminal ? printableLines(text) : text;
    session.show({ zone: zone.name, [state ? 'state' : 'zone_file']: text }, () => shown.trimEnd());
  },
});

function zoneFile({ client }: Session, { id }: Zone): Promise<string> {
  return client.exportZoneFileOfZone({ path: { id } }, { parseAs: 'text' });
}

async function stateText({ client }: Session, zone: Zone): Promise<string> {
  const records = await collect(client.listRecordsOfZone.items({ path: { id: zone.id }, query: { limit: 500 } }));
  const domain = zone.domain_id === null ? undefined : await client.readDomain({ path: { id: zone.domain_id } });
  const isSigned =
    zone.dnssec.state === 'error' ? (await client.readDnssecOfZone({ path: { id: zone.id } })).enabled : undefined;
  return yamlOf(stateOf(zone, records, domain, isSigned));
}
