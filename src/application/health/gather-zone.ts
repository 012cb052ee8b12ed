import { inject, injectable } from '../ports/inject';
import { ROOT } from '../../domain/dns/records/record-name';
import type { DmarcEvidence, MailEvidence, SpfEvidence } from '../../domain/health/judge-mail';
import type { CnameEvidence, CnameTargetsEvidence } from '../../domain/health/judge-zone';
import { failureOf, recordsOf, type Lookup, type LookupType } from '../../domain/health/lookup';
import { isSpfText, parseSpf } from '../../domain/dns/mail/spf';
import { followSpf } from '../../domain/health/spf-tree';
import { PublishedZones } from '../ports/dns/publishing';
import { RecordReader } from '../ports/dns/zone-queries';
import { ZoneReader } from '../ports/dns/zone-repository';
import type { DnsProbe } from '../ports/health/health-repository';
import { ZoneLookups } from './zone-lookups';

/** Bound what a zone can make us look up. */
const MAX_MAIL_HOSTS = 20;
const MAX_CNAME_TARGETS = 50;
const COUNTED_CNAME_TARGETS = 200;
/** Includes in includes; each round costs a look-up at least, so SPF allows no more. */
const SPF_ROUNDS = 10;

interface ZoneEvidence {
  readonly mail: MailEvidence;
  readonly spf: SpfEvidence;
  readonly dmarc: DmarcEvidence;
  readonly caa: Lookup;
  readonly cnameTargets: CnameTargetsEvidence;
}

interface ZoneToGather {
  readonly domainId: string;
  readonly zoneName: string;
  /** Whether this service serves the domain, so that its stored records count; otherwise the resolver tells them. */
  readonly isServedHere: boolean;
  readonly probe: DnsProbe;
}

type Resolve = (name: string, type: LookupType) => Promise<Lookup>;

/** Gathers what the checks of mail, certificates and CNAME records need. Bounded, and never fails because of a look-up. */
@injectable()
export class GatherZone {
  constructor(
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'page'>,
    @inject(ZoneReader) readonly zones: Pick<ZoneReader, 'recordsAt'>,
    @inject(PublishedZones) readonly published: Pick<PublishedZones, 'hasName'>,
  ) {}

  async execute({ domainId, zoneName, isServedHere, probe }: ZoneToGather): Promise<ZoneEvidence> {
    const lookups = new ZoneLookups({ domainId, zoneName }, this, probe);
    const resolve: Resolve = isServedHere
      ? (name, type) => lookups.resolve(name, type)
      : (name, type) => probe.resolve({ name, type });
    if (isServedHere) await lookups.load([ROOT, '_dmarc', '*']);
    const [mx, texts, dmarc, caa] = await Promise.all([
      resolve(zoneName, 'MX'),
      resolve(zoneName, 'TXT'),
      resolve(`_dmarc.${zoneName}`, 'TXT'),
      resolve(zoneName, 'CAA'),
    ]);
    const [mail, included, cnameTargets] = await Promise.all([
      gatherMail(mx, resolve),
      gatherIncluded(texts, resolve),
      isServedHere ? this.gatherCnameTargets(domainId, lookups) : gatherWww(zoneName, resolve),
    ]);
    const receivesMail = mail.hosts?.some(({ host }) => host !== '') ?? false;
    return { mail, spf: { texts, included, receivesMail }, dmarc: { texts: dmarc, receivesMail }, caa, cnameTargets };
  }

  private async gatherCnameTargets(domainId: string, lookups: ZoneLookups): Promise<CnameTargetsEvidence> {
    const found = await this.records.page(domainId, { type: 'CNAME' }, COUNTED_CNAME_TARGETS);
    const cnameTargets = await Promise.all(
      found.slice(0, MAX_CNAME_TARGETS).map(async ({ name, content }): Promise<CnameEvidence> => ({
        owner: lookups.fullName(name),
        target: content,
        lookup: await lookups.resolve(content, 'A'),
      })),
    );
    return { cnameTargets, skipped: Math.max(0, found.length - MAX_CNAME_TARGETS), isPartial: false };
  }
}

async function gatherMail(mx: Lookup, resolve: Resolve): Promise<MailEvidence> {
  const failure = failureOf(mx);
  if (failure !== undefined) return { hosts: undefined, failure };
  const hosts = await Promise.all(
    recordsOf(mx)
      .slice(0, MAX_MAIL_HOSTS)
      .map(async (text) => {
        const [preference = '', host = ''] = text.split(' ');
        const nothing: Lookup = { kind: 'no_data', via: [] };
        const [ipv4, ipv6] =
          host === '' ? [nothing, nothing] : await Promise.all([resolve(host, 'A'), resolve(host, 'AAAA')]);
        return { preference: Number(preference), host, addresses: { A: ipv4, AAAA: ipv6 } };
      }),
  );
  return { hosts: hosts.toSorted((one, other) => one.preference - other.preference) };
}

async function gatherIncluded(texts: Lookup, resolve: Resolve): Promise<ReadonlyMap<string, Lookup>> {
  const included = new Map<string, Lookup>();
  const [text] = recordsOf(texts).filter(isSpfText);
  if (text === undefined) return included;
  const record = parseSpf(text);
  for (let round = 0; round < SPF_ROUNDS; round += 1) {
    const { missing } = followSpf(record, included);
    if (missing.length === 0) break;
    const found = await Promise.all(missing.map(async (name) => [name, await resolve(name, 'TXT')] as const));
    for (const [name, lookup] of found) included.set(name, lookup);
  }
  return included;
}

/** Of a zone whose names are not known here. */
async function gatherWww(zoneName: string, resolve: Resolve): Promise<CnameTargetsEvidence> {
  const owner = `www.${zoneName}`;
  const lookup = await resolve(owner, 'A');
  const target = 'via' in lookup ? lookup.via[0] : undefined;
  return { cnameTargets: target === undefined ? [] : [{ owner, target, lookup }], skipped: 0, isPartial: true };
}
