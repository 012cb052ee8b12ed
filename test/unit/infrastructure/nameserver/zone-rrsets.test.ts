import type { ZoneSnapshot } from '../../../../src/application/ports/dns/publishing';
import type { RecordDraft } from '../../../../src/domain/dns/records/dns-record';
import { zoneRrsets } from '../../../../src/infrastructure/nameserver/zone-rrsets';
import { aRecord } from '../../../support/data/a-record';

const VERSION = 7;

function snapshot(...pages: readonly (readonly Partial<RecordDraft>[])[]): ZoneSnapshot {
  const records = pages.map((page, at) => page.map((draft, index) => aRecord(draft, `rec_${at}_${index}`).toState()));
  return {
    domainId: 'dom_1',
    accountId: 'acc_1',
    zoneName: 'example.com',
    serial: VERSION,
    nameservers: ['ns1.example.net'],
    records: async function* () {
      yield* records;
    },
    recordCount: records.flat().length,
    differenceFrom: async () => undefined,
    rootNameservers: async () => records.flat().filter(({ name, type }) => name === '@' && type === 'NS'),
  };
}

async function rrsetLines(zone: ZoneSnapshot, withSerialRecord = false): Promise<string[]> {
  const lines: string[] = [];
  for await (const answers of zoneRrsets(zone, { withSerialRecord }))
    lines.push(
      ...answers.map(
        ({ name, type, ...rest }) => `${name} ${type.replace('UNKNOWN_', 'TYPE')} ${'ttl' in rest ? rest.ttl : ''}`,
      ),
    );
  return lines;
}

describe('the RRsets of a zone transfer', () => {
  it('use the lowest TTL of their records, even across two pages', async () => {
    const zone = snapshot(
      [
        { name: 'a', ttl: 300 },
        { name: 'www', ttl: 600, content: '192.0.2.1' },
      ],
      [{ name: 'www', ttl: 60, content: '192.0.2.2' }],
    );

    expect(await rrsetLines(zone)).toEqual([
      'example.com NS 3600',
      'a.example.com TYPE1 300',
      'www.example.com TYPE1 60',
      'www.example.com TYPE1 60',
    ]);
  });

  it('include _zone-version TXT for signing secondaries, unless the zone has records of that name', async () => {
    expect(await rrsetLines(snapshot([]), true)).toEqual(['example.com NS 3600', '_zone-version.example.com TXT 60']);
    expect(await rrsetLines(snapshot([]))).toEqual(['example.com NS 3600']);
    expect(
      await rrsetLines(snapshot([{ name: '_zone-version', type: 'TXT', content: 'mine', ttl: 300 }]), true),
    ).toEqual(['example.com NS 3600', '_zone-version.example.com TYPE16 300']);
  });
});
