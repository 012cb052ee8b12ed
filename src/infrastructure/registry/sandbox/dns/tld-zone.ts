import { isIPv6 } from 'node:net';
import type { Answer, SoaAnswer } from 'dns-packet';
import { detailsOf, type Registration } from '../simulated/registration';

/** The zone of a TLD: its delegations, with glue and DS records. */
export interface TldZone {
  readonly name: string;
  readonly soa: SoaAnswer;
  /** By owner name in lower case; all but the SOA. */
  readonly records: ReadonlyMap<string, readonly Answer[]>;
}

/** Addresses by host name. */
export type HostAddresses = ReadonlyMap<string, readonly string[]>;

/** Short for a TLD, so that a test need not wait for days. In seconds. */
const TTL = 3_600;
const TIMERS = { refresh: 2, retry: 2, expire: 1_209_600, minimum: 900 };
/** `nic` is taken under every TLD of the sandbox registry. */
const NAMESERVER_LABEL = 'nic';
/** EPP statuses that take a name out of the zone (RFC 5731, section 2.3). */
const HOLDS = ['clientHold', 'serverHold'];

/** Whether the registry publishes a delegation of the name. */
export function isDelegated({ phase, nameservers, details }: Registration): boolean {
  const isAlive = phase === 'registered' || phase === 'auto_renew_grace';
  return isAlive && nameservers.length > 0 && !detailsOf({ details }).statuses.some((status) => HOLDS.includes(status));
}

export function tldSoa(name: string, serial: number): SoaAnswer {
  const mname = nameserverOf(name);
  return { type: 'SOA', name, ttl: TTL, data: { mname, rname: `hostmaster.${mname}`, serial, ...TIMERS } };
}

/** The records of a TLD's zone without its SOA, by owner name. `children`: TLDs one label below it, such as `co.uk`. */
export function tldRecords(
  name: string,
  delegated: readonly Registration[],
  { hosts, children, address }: TldZoneContext,
): ReadonlyMap<string, readonly Answer[]> {
  const records = new Map<string, Answer[]>();
  const add = (answer: Answer): void => {
    const others = records.get(answer.name);
    if (others) others.push(answer);
    else records.set(answer.name, [answer]);
  };
  for (const zone of [name, ...children]) {
    add({ type: 'NS', name: zone, ttl: TTL, data: nameserverOf(zone) });
    add(addressRecord(nameserverOf(zone), address));
  }
  const glue = new Map(hosts);
  for (const registration of delegated) {
    for (const { host, addresses } of registration.glue) glue.set(host, addresses);
    for (const data of registration.nameservers) add({ type: 'NS', name: registration.name, ttl: TTL, data });
    for (const { keyTag, algorithm, digestType, digest } of detailsOf(registration).ds)
      add({
        type: 'DS',
        name: registration.name,
        ttl: TTL,
        data: { keyTag, algorithm, digestType, digest: Buffer.from(digest, 'hex') },
      });
  }
  const names = new Set(delegated.map((registration) => registration.name));
  for (const host of new Set(delegated.flatMap(({ nameservers }) => nameservers)))
    if (nameAndAncestors(host).some((ancestor) => names.has(ancestor)))
      for (const each of glue.get(host) ?? []) add(addressRecord(host, each));
  return records;
}

interface TldZoneContext {
  readonly hosts: HostAddresses;
  readonly children: readonly string[];
  /** Of the zone's only nameserver, `nic.TLD`. */
  readonly address: string;
}

/** The name itself and the names above it, without the root. */
export function nameAndAncestors(name: string): readonly string[] {
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

function nameserverOf(zone: string): string {
  return `${NAMESERVER_LABEL}.${zone}`;
}

function addressRecord(name: string, data: string): Answer {
  return { type: isIPv6(data) ? 'AAAA' : 'A', name, ttl: TTL, data };
}
