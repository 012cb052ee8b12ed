import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DnsRecord, type RecordDraft } from '../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../src/domain/dns/records/types/record-types';
import { zoneFileLines } from '../../../src/domain/dns/zone-file/write-zone-file';
import { describeOrSkip } from '../../support/describe-or-skip';

const ZONE = 'example.com';
const RECORDS: readonly RecordDraft[] = [
  { type: 'A', name: '@', content: '192.0.2.1' },
  { type: 'AAAA', name: 'www', content: '2001:db8::1', ttl: 60 },
  { type: 'A', name: '*', content: '192.0.2.2' },
  { type: 'A', name: 'mail', content: '192.0.2.3' },
  { type: 'CNAME', name: 'blog', content: 'www.example.com' },
  { type: 'MX', name: '@', content: 'mail.example.com', priority: 10 },
  { type: 'MX', name: 'nomail', content: '.', priority: 0 },
  { type: 'TXT', name: 'txt', content: `"a;b" "\\"\\\\\\000\\255" "" "${'x'.repeat(255)}"` },
  { type: 'TXT', name: 'long', content: 'ü'.repeat(600) },
  { type: 'NS', name: 'sub', content: 'ns.sub.example.com' },
  { type: 'A', name: 'ns.sub', content: '192.0.2.4' },
  { type: 'SRV', name: '_sip._tcp', content: 'www.example.com', priority: 1, weight: 2, port: 5060 },
  { type: 'SRV', name: '_sip+d2t._tcp', content: 'www.example.com', priority: 1, port: 5060 },
  { type: 'CAA', name: '@', content: '0 issue "ca.example.net; account=1"' },
  { type: 'TXT', name: 'xn--bcher-kva', content: 'punycode' },
  { type: 'HTTPS', name: 'www', content: '1 . mandatory=port,ohttp alpn=h2 port=443 ech=AAEC ohttp key667=x' },
  { type: 'SVCB', name: '_dns', content: '1 www.example.com. dohpath=/dns-query{?dns} tls-supported-groups=29,23' },
  { type: 'SVCB', name: '_alias', content: '0 www.example.com.' },
];

const tools: readonly (readonly [command: string, args: (file: string) => readonly string[]])[] = [
  ['named-checkzone', (file) => [ZONE, file]],
  ['kzonecheck', (file) => ['-o', ZONE, file]],
];

describe.each(tools)('an exported zone file, checked by %s', (command, args) => {
  const isInstalled = spawnSync('which', [command], { env: { PATH: `${process.env['PATH']}:/usr/sbin` } }).status === 0;

  describeOrSkip(isInstalled ? undefined : `${command} is not installed`)('with all record types', () => {
    it('is valid without warnings', () => {
      const folder = mkdtempSync(join(tmpdir(), 'namewright-zone-'));
      const file = join(folder, 'zone');
      const records = RECORDS.map((draft, index) =>
        DnsRecord.create(draft, ZONE, `rec_${index}`, new Date(0), ALL_TYPES).toState(),
      );
      const authority = {
        primaryName: 'ns1.example.net',
        contact: 'hostmaster.example.com',
        serial: 7,
        refresh: 3600,
        retry: 600,
        expire: 1_209_600,
        negative: 300,
      };
      writeFileSync(
        file,
        [
          ...zoneFileLines({ zoneName: ZONE, authority, nameservers: ['ns1.example.net', 'ns2.example.net'], records }),
        ].join(''),
      );

      const output = execFileSync(command, args(file), {
        encoding: 'utf8',
        env: { PATH: `${process.env['PATH']}:/usr/sbin` },
      });

      expect(output).not.toMatch(/warning|error/i);
      rmSync(folder, { recursive: true });
    });
  });
});
