import { randomBytes } from 'node:crypto';
import type { Answer, RecordType } from 'dns-packet';
import type { FoundZone, NameserverCheck } from '../../../application/ports/dns/other-nameservers';
import { ZoneSourceFailed } from '../../../domain/dns/dns-errors';
import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import { ask } from './dns-query';
import { FoundZoneWriter } from './found-zone';

const CONCURRENT_QUERIES = 8;
const TOTAL_TIMEOUT_MS = 60_000;
const APEX_TYPES: readonly RecordType[] = ['A', 'AAAA', 'MX', 'TXT', 'NS', 'CAA'];
const HOST_TYPES: readonly RecordType[] = ['A', 'AAAA'];
// cspell:words webmail autodiscover autoconfig domainkey imaps caldavs carddavs xmpp
const HOSTS =
  'www mail smtp imap pop pop3 webmail mx mx1 mx2 ftp sftp api app apps blog shop store dev staging test beta demo m mobile admin portal login auth sso vpn remote cdn static assets img images media files docs wiki help support status news forum git ci ns1 ns2 ns3 autodiscover autoconfig mta-sts calendar chat cloud office intranet'.split(
    ' ',
  );
const TEXTS =
  '_dmarc _mta-sts _smtp._tls default._domainkey google._domainkey selector1._domainkey selector2._domainkey k1._domainkey k2._domainkey k3._domainkey s1._domainkey s2._domainkey mail._domainkey dkim._domainkey _acme-challenge _domainconnect _github-challenge'.split(
    ' ',
  );
const SERVICES =
  '_sip._tcp _sip._udp _sips._tcp _sipfederationtls._tcp _autodiscover._tcp _imap._tcp _imaps._tcp _submission._tcp _submissions._tcp _pop3s._tcp _caldavs._tcp _carddavs._tcp _xmpp-client._tcp _xmpp-server._tcp _minecraft._tcp'.split(
    ' ',
  );

interface Question {
  readonly label: string;
  readonly type: RecordType;
}

/** A name has a CNAME or other records: a query for another type returns the CNAME. */
const QUESTIONS: readonly Question[] = [
  ...APEX_TYPES.map((type) => ({ label: '', type })),
  ...HOSTS.flatMap((label) => HOST_TYPES.map((type) => ({ label, type }))),
  ...TEXTS.map((label) => ({ label, type: 'TXT' as const })),
  ...SERVICES.map((label) => ({ label, type: 'SRV' as const })),
];

/** Asks a nameserver for the usual names and types. @throws ZoneSourceFailed */
export async function lookUpZone(zoneName: string, endpoint: Endpoint, nameserver: string): Promise<FoundZone> {
  const deadline = performance.now() + TOTAL_TIMEOUT_MS;
  const zone = new FoundZoneWriter(zoneName);
  const wildcard = new Map<RecordType, readonly Answer[]>();
  const random = `${randomBytes(8).toString('hex')}.${zoneName}`;
  for (const type of [...HOST_TYPES, 'TXT' as const, 'SRV' as const])
    wildcard.set(type, (await ask(endpoint, { name: random, type }))?.answers ?? []);
  for (const answers of wildcard.values()) for (const answer of answers) zone.add({ ...answer, name: `*.${zoneName}` });
  const waiting = [...QUESTIONS];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (performance.now() > deadline)
        throw new ZoneSourceFailed(`${nameserver} takes too long to answer for ${zoneName}`);
      const { label, type } = next;
      const answers = (await ask(endpoint, { name: label === '' ? zoneName : `${label}.${zoneName}`, type }))?.answers;
      if (!answers || (label !== '' && isSame(answers, wildcard.get(type) ?? []))) continue;
      for (const answer of answers) zone.add(answer);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_QUERIES }, worker));
  return zone.finish();
}

/** Whether a nameserver answers for the zone, and its TTLs. Never fails. */
export async function checkNameserver(
  zoneName: string,
  nameserver: string,
  endpoint: Endpoint | undefined,
): Promise<NameserverCheck> {
  const silent = { nameserver, delegationTtl: null, negativeTtl: null };
  if (!endpoint) return { ...silent, state: 'does not answer' };
  const [soa, ns] = await Promise.all([
    ask(endpoint, { name: zoneName, type: 'SOA' }),
    ask(endpoint, { name: zoneName, type: 'NS' }),
  ]);
  const [authority] = soa?.answers ?? [];
  if (authority?.type !== 'SOA') return { ...silent, state: 'does not answer' };
  const [delegation] = ns?.answers ?? [];
  return {
    nameserver,
    state: 'answers',
    delegationTtl: delegation && 'ttl' in delegation ? (delegation.ttl ?? null) : null,
    negativeTtl: Math.min(authority.ttl ?? 0, authority.data.minimum ?? 0),
  };
}

function isSame(one: readonly Answer[], other: readonly Answer[]): boolean {
  return one.length > 0 && dataOf(one) === dataOf(other);
}

function dataOf(answers: readonly Answer[]): string {
  return answers
    .map((answer) => JSON.stringify('data' in answer ? answer.data : null))
    .toSorted()
    .join();
}
