import type { DsRecord } from '../../../../domain/dns/delegation/ds-record';
import { DomainName } from '../../../../domain/shared/domain-name';
import { addDays, addYears } from '../../../../domain/shared/time/calendar';
import type { LifecyclePeriods } from '../../../../domain/registration/names/tld-policy';
import type { RegistryDomain, RegistryPhase } from '../../../../application/ports/registry/registry-port';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf, type XmlElement } from '../codec/xml-element';
import { aLabelsOf, booleanOf, instantOf } from './data-types';
import { canonicalAddress } from './host-data';
import type { ContactReference, DelegatedHost } from './commands/domain-commands';
import { dsRecordsOf } from './security';
import { ProtocolError } from './protocol-error';
import type { EppResponse } from './response';

const { domain: DOMAIN, rgp: RGP } = NAMESPACES;

/** The data of an `<info>` response. */
export interface DomainInfo {
  readonly name: string;
  readonly statuses: ReadonlySet<string>;
  /** RFC 3915 grace period statuses. */
  readonly graceStatuses: ReadonlySet<string>;
  /** The end of each grace period, if reported. Verisign writes `endDate=` into the status text. */
  readonly graceEnds: ReadonlyMap<string, Date>;
  readonly sponsor: string | undefined;
  readonly creator: string | undefined;
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
  /** The registry shows no expiry, because it extends the name at each anniversary of its creation until it is deleted. */
  readonly isPerpetual?: boolean;
  /** When the registry deletes the name instead of extending it. */
  readonly deletionDate?: Date | undefined;
  readonly delegation: readonly DelegatedHost[];
  /** Hosts under the domain, whether or not domains are delegated to them. */
  readonly subordinateHosts: readonly string[];
  readonly registrant: string | undefined;
  readonly contacts: readonly ContactReference[];
  readonly dsRecords: readonly DsRecord[];
  /** Only shown to the sponsor, by some registries. */
  readonly authCode: string | undefined;
  /** Until when the auth code works, if the registry shows that. */
  readonly authCodeUntil?: Date | undefined;
}

/** What the mapping needs besides the response. */
interface DomainContext {
  readonly clientId: string;
  readonly periods: LifecyclePeriods;
  /** Years of an automatic renewal; one if absent. */
  readonly addedYears?: number;
  /** The registry has no `<renew>`, extends names at expiry, and charges us. */
  readonly renewsByItself?: boolean;
  /** The service deletes names with auto-renewal off before that. */
  readonly deletesUnrenewed?: boolean;
  readonly now: Date;
}

const END_DATE = /\bendDate=(\S+)/;
/** A phase whose computed end has passed lasts until the registry reports another: read `info` again after this time. */
const OVERDUE_MS = 3_600_000;

/** @param timeZone of dates without an offset. @throws ProtocolError for a response without a domain */
export function domainInfoOf(
  { resData, extension }: Pick<EppResponse, 'resData' | 'extension'>,
  timeZone?: string,
): DomainInfo {
  const infData = childOf(resData, DOMAIN, 'infData');
  const written = text(infData, 'name');
  if (written === undefined) throw new ProtocolError('info response without a domain');
  const name = aLabelsOf(written);
  const ns = childOf(infData, DOMAIN, 'ns');
  return {
    name,
    statuses: statusesOf(childrenOf(infData, DOMAIN, 'status')),
    graceStatuses: graceStatusesOf(extension, 'infData'),
    graceEnds: graceEndsOf(extension, timeZone),
    sponsor: text(infData, 'clID'),
    creator: text(infData, 'crID'),
    createdAt: instant(infData, 'crDate', timeZone),
    updatedAt: instant(infData, 'upDate', timeZone),
    expiresAt: instant(infData, 'exDate', timeZone),
    delegation: [
      ...childrenOf(ns, DOMAIN, 'hostObj').map((host) => ({ host: hostNameOf(host), addresses: [] })),
      ...childrenOf(ns, DOMAIN, 'hostAttr').map(attributeHostOf),
    ],
    subordinateHosts: childrenOf(infData, DOMAIN, 'host').map(hostNameOf),
    registrant: text(infData, 'registrant'),
    contacts: childrenOf(infData, DOMAIN, 'contact').map((contact) => ({
      type: contact.attributes.get('type') ?? '',
      id: tokenOf(contact) ?? '',
    })),
    dsRecords: dsRecordsOf(extension, name),
    authCode: text(childOf(infData, DOMAIN, 'authInfo'), 'pw') || undefined,
  };
}

/**
 * What is known of a new domain from the response to its create and the hosts that were sent. Undefined unless the response
 * has both dates: it is then pending, or the registry shows them in `<info>` only. @throws ProtocolError for an invalid date
 */
export function createdDomainOf(
  { resData }: Pick<EppResponse, 'resData'>,
  created: {
    readonly clientId: string;
    readonly hosts: readonly DelegatedHost[];
    readonly statuses: readonly string[];
  },
  timeZone?: string,
): DomainInfo | undefined {
  const creData = childOf(resData, DOMAIN, 'creData');
  const name = text(creData, 'name');
  const [createdAt, expiresAt] = [instant(creData, 'crDate', timeZone), instant(creData, 'exDate', timeZone)];
  if (name === undefined || !createdAt || !expiresAt) return undefined;
  return {
    name: aLabelsOf(name),
    statuses: new Set(created.statuses),
    graceStatuses: new Set(),
    graceEnds: new Map(),
    sponsor: created.clientId,
    creator: created.clientId,
    createdAt,
    updatedAt: undefined,
    expiresAt,
    delegation: created.hosts,
    subordinateHosts: [],
    registrant: undefined,
    contacts: [],
    dsRecords: [],
    authCode: undefined,
  };
}

/** Grace period statuses in `infData`, or in `upData` after a restore request. */
export function graceStatusesOf(extension: XmlElement | undefined, element: 'infData' | 'upData'): ReadonlySet<string> {
  return statusesOf(graceElements(extension, element));
}

function graceEndsOf(extension: XmlElement | undefined, timeZone: string | undefined): ReadonlyMap<string, Date> {
  return new Map(
    graceElements(extension, 'infData').flatMap(({ attributes, text }): [string, Date][] => {
      const end = END_DATE.exec(text)?.[1];
      return end === undefined ? [] : [[attributes.get('s') ?? '', instantOf(end, timeZone)]];
    }),
  );
}

function graceElements(extension: XmlElement | undefined, element: 'infData' | 'upData'): readonly XmlElement[] {
  return childrenOf(childOf(extension, RGP, element), RGP, 'rgpStatus');
}

/** The available names of a check response. */
export function availableNames({ resData }: Pick<EppResponse, 'resData'>): ReadonlySet<string> {
  const names = childrenOf(childOf(resData, DOMAIN, 'chkData'), DOMAIN, 'cd').map((cd) => childOf(cd, DOMAIN, 'name'));
  return new Set(
    names.flatMap((name) => (name && booleanOf(name.attributes.get('avail')) ? [aLabelsOf(tokenOf(name) ?? '')] : [])),
  );
}

export function registryDomainOf(info: DomainInfo, context: DomainContext): RegistryDomain {
  const { clientId, addedYears = 1, now } = context;
  const { name, statuses, sponsor, creator, createdAt, isPerpetual = false, deletionDate, delegation } = info;
  const { authCodeUntil } = info;
  const expiresAt =
    info.expiresAt ?? deletionDate ?? (isPerpetual && createdAt ? nextAnniversary(createdAt, now) : undefined);
  const sponsoredByUs = sponsor === clientId;
  if (sponsoredByUs && !(createdAt && (expiresAt ?? statuses.has('pendingCreate'))))
    throw new ProtocolError('a domain that we sponsor without its dates');
  const phase = phaseOf(info);
  const end = phaseEndOf(phase, info, context);
  return {
    name: DomainName.fromState(name),
    phase,
    sponsoredByUs,
    createdByUs: creator === clientId,
    createdAt: createdAt ?? UNKNOWN,
    expiresAt: sponsoredByUs ? (expiresAt ?? addYears(createdAt ?? UNKNOWN, 1)) : (info.expiresAt ?? UNKNOWN),
    ...(addedYears > 1 && { addedYears }),
    ...((context.renewsByItself || isPerpetual) && !deletionDate && { registrarRenews: true }),
    ...(context.deletesUnrenewed && { deletableBeforeRenewal: true }),
    nameservers: delegation.map(({ host }) => host),
    transferLocked: statuses.has('clientTransferProhibited') || statuses.has('serverTransferProhibited'),
    transferPending: statuses.has('pendingTransfer'),
    ...(statuses.has('pendingRenew') && { renewalPending: true }),
    ...(authCodeUntil && { authCodeUntil }),
    ...end,
  };
}

function nextAnniversary(createdAt: Date, now: Date): Date {
  const years = Math.max(1, now.getUTCFullYear() - createdAt.getUTCFullYear());
  const anniversary = addYears(createdAt, years);
  return anniversary > now ? anniversary : addYears(createdAt, years + 1);
}

/** Stands for another registrar's domain that the registry does not show. */
export function hiddenDomain(name: DomainName): RegistryDomain {
  return {
    name,
    phase: 'registered',
    sponsoredByUs: false,
    createdByUs: false,
    createdAt: UNKNOWN,
    expiresAt: UNKNOWN,
    nameservers: [],
    transferLocked: false,
    transferPending: false,
  };
}

/** Stands for a date that the registry does not show. A pending create has no expiry yet; one year stands for it. */
const UNKNOWN = new Date(0);

/** The first phase that applies. */
function phaseOf({ statuses, graceStatuses }: DomainInfo): RegistryPhase {
  if (statuses.has('pendingCreate')) return 'pending_create';
  if (graceStatuses.has('pendingRestore')) return 'pending_restore';
  if (graceStatuses.has('redemptionPeriod')) return 'redemption';
  if (graceStatuses.has('pendingDelete') || statuses.has('pendingDelete')) return 'pending_delete';
  return graceStatuses.has('autoRenewPeriod') ? 'auto_renew_grace' : 'registered';
}

/**
 * The end that the registry reports, or an estimate: the last update, which a deletion usually is, plus the TLD's period.
 */
function phaseEndOf(
  phase: RegistryPhase,
  { graceEnds, expiresAt, updatedAt }: DomainInfo,
  { periods, addedYears = 1, now }: DomainContext,
): Pick<RegistryDomain, 'phaseEndsAt' | 'phaseEndIsEstimate'> {
  if (phase === 'auto_renew_grace') {
    const phaseEndsAt =
      graceEnds.get('autoRenewPeriod') ??
      (expiresAt && addDays(addYears(expiresAt, -addedYears), periods.autoRenewGrace));
    return phaseEndsAt ? { phaseEndsAt } : {};
  }
  if (phase !== 'redemption' && phase !== 'pending_restore' && phase !== 'pending_delete') return {};
  const reported = graceEnds.get(
    phase === 'redemption' ? 'redemptionPeriod' : phase === 'pending_restore' ? 'pendingRestore' : 'pendingDelete',
  );
  const days =
    phase === 'pending_delete'
      ? [periods.pendingDelete, periods.redemption + periods.pendingDelete]
      : [periods.redemption];
  const ends = reported ? [reported] : days.flatMap((count) => (updatedAt ? [addDays(updatedAt, count)] : []));
  const phaseEndsAt = ends.find((end) => end > now) ?? new Date(now.getTime() + OVERDUE_MS);
  return reported && reported > now ? { phaseEndsAt } : { phaseEndsAt, phaseEndIsEstimate: true };
}

function statusesOf(elements: readonly XmlElement[]): ReadonlySet<string> {
  return new Set(elements.flatMap(({ attributes }) => attributes.get('s') ?? []));
}

function attributeHostOf(element: XmlElement): DelegatedHost {
  return {
    host: hostNameOf(childOf(element, DOMAIN, 'hostName')),
    addresses: childrenOf(element, DOMAIN, 'hostAddr').map((address) => canonicalAddress(tokenOf(address) ?? '')),
  };
}

function hostNameOf(element: XmlElement | undefined): string {
  return aLabelsOf((tokenOf(element) ?? '').replace(/\.$/, ''));
}

function text(parent: XmlElement | undefined, name: string): string | undefined {
  return tokenOf(childOf(parent, DOMAIN, name));
}

function instant(parent: XmlElement | undefined, name: string, timeZone: string | undefined): Date | undefined {
  const written = text(parent, name);
  return written === undefined ? undefined : instantOf(written, timeZone);
}
