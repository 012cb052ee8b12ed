import type { ZoneSnapshot } from '../../../../src/application/ports/dns/published-zones';
import type { RecordDraft } from '../../../../src/domain/dns/records/record-draft';
import { zoneAnswers } from '../../../../src/infrastructure/nameserver/zone-answers';
import { aRecord } from '../../../support/data/a-record';

const VERSION = 7;

function snapshot(...pages: readonly (readonly Partial<RecordDraft>[])[]): ZoneSnapshot {
  const records = pages.map((page, at) => page.map((draft, index) => aRecord(draft, `rec_${at}_${index}`).toState()));
  return {
    domainId: 'dom_1',
    zoneName: 'example.com',
    version: VERSION,
    nameservers: ['ns1.example.net'],
    records: async function* () {
      yield* records;
    },
    rootNameservers: async () => records.flat().filter(({ name, type }) => name === '@' && type === 'NS'),
  };
}

async function told(zone: ZoneSnapshot, withVersion = false): Promise<string[]> {
  const lines: string[] = [];
  for await (const answers of zoneAnswers(zone, { withVersion }))
    lines.push(...answers.map(({ name, type, ...rest }) => `${name} ${type} ${'ttl' in rest ? rest.ttl : ''}`));
  return lines;
}

describe('what a nameserver is told of a zone', () => {
  it('has one TTL for the records of a set, the lowest of theirs, also where a page ends between them', async () => {
    const zone = snapshot(
      [
        { name: 'a', ttl: 300 },
        { name: 'www', ttl: 600, content: '192.0.2.1' },
      ],
      [{ name: 'www', ttl: 60, content: '192.0.2.2' }],
    );

    expect(await told(zone)).toEqual([
      'example.com NS 3600',
      'a.example.com A 300',
      'www.example.com A 60',
      'www.example.com A 60',
    ]);
  });

  it('has the version at a name of its own for secondaries that sign, unless the user has records there', async () => {
    expect(await told(snapshot([]), true)).toEqual(['example.com NS 3600', '_zone-version.example.com TXT 60']);
    expect(await told(snapshot([]))).toEqual(['example.com NS 3600']);
    expect(await told(snapshot([{ name: '_zone-version', type: 'TXT', content: 'mine', ttl: 300 }]), true)).toEqual([
      'example.com NS 3600',
      '_zone-version.example.com TXT 300',
    ]);
  });
});
