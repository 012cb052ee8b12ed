import { DomainName } from '../../../../domain/registration/domain-name';
import { addDays, addYears } from '../../../../domain/shared/calendar';
import type { LifecyclePeriods } from '../../../../domain/registration/tld-policy';
import type { RegistryDomain, RegistryPhase } from '../../../../application/ports/registry/registry-port';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf, type XmlElement } from '../codec/xml-element';
import { booleanOf, instantOf } from './data-types';
import { canonicalAddress } from './host-data';
import type { ContactReference, DelegatedHost } from './domain-commands';
import { ProtocolError } from './protocol-error';
import type { EppResponse } from './response';

const { domain: DOMAIN, rgp: RGP } = NAMESPACES;

/** What `<info>` says of a domain, in the registry's own words. */
export interface DomainInfo {
  readonly name: string;
  readonly statuses: ReadonlySet<string>;
  /** By RFC 3915. */
  readonly graceStatuses: ReadonlySet<string>;
  /** When each of them ends, where the registry says it: Verisign's writes `endDate=` beside the status. */
  readonly graceEnds: ReadonlyMap<string, Date>;
  readonly sponsor: string | undefined;
  readonly creator: string | undefined;
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
  readonly delegation: readonly DelegatedHost[];
  /** The hosts under the domain itself, delegated to or not. */
  readonly subordinateHosts: readonly string[];
  readonly registrant: string | undefined;
  readonly contacts: readonly ContactReference[];
}

/** Who looks at a domain, and what is known about the life of names under its suffix. */
export interface Viewpoint {
  readonly clientId: string;
  readonly periods: LifecyclePeriods;
  /** The years that the registry adds by itself when a term ends; one where absent. */
  readonly addedYears?: number;
  readonly now: Date;
}

const END_DATE = /\bendDate=(\S+)/;
/** A phase that should have ended by now, as far as we can tell, is over when the registry says so. */
const OVERDUE_MS = 3_600_000;

/** @throws ProtocolError where the answer holds no domain */
export function domainInfoOf({ resData, extension }: Pick<EppResponse, 'resData' | 'extension'>): DomainInfo {
  const infData = childOf(resData, DOMAIN, 'infData');
  const name = text(infData, 'name');
  if (name === undefined) throw new ProtocolError('no domain where one was asked for');
  const ns = childOf(infData, DOMAIN, 'ns');
  return {
    name: name.toLowerCase(),
    statuses: statusesOf(childrenOf(infData, DOMAIN, 'status')),
    graceStatuses: graceStatusesOf(extension, 'infData'),
    graceEnds: graceEndsOf(extension),
    sponsor: text(infData, 'clID'),
    creator: text(infData, 'crID'),
    createdAt: instant(infData, 'crDate'),
    updatedAt: instant(infData, 'upDate'),
    expiresAt: instant(infData, 'exDate'),
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
  };
}

/** What an answer says of a domain's grace periods: `upData` after an update that asked for a restore. */
export function graceStatusesOf(extension: XmlElement | undefined, element: 'infData' | 'upData'): ReadonlySet<string> {
  return statusesOf(graceElements(extension, element));
}

function graceEndsOf(extension: XmlElement | undefined): ReadonlyMap<string, Date> {
  return new Map(
    graceElements(extension, 'infData').flatMap(({ attributes, text }): [string, Date][] => {
      const end = END_DATE.exec(text)?.[1];
      return end === undefined ? [] : [[attributes.get('s') ?? '', instantOf(end)]];
    }),
  );
}

function graceElements(extension: XmlElement | undefined, element: 'infData' | 'upData'): readonly XmlElement[] {
  return childrenOf(childOf(extension, RGP, element), RGP, 'rgpStatus');
}

/** The names that the registry calls available, of those that it answers for. */
export function availableNames({ resData }: Pick<EppResponse, 'resData'>): ReadonlySet<string> {
  const names = childrenOf(childOf(resData, DOMAIN, 'chkData'), DOMAIN, 'cd').map((cd) => childOf(cd, DOMAIN, 'name'));
  return new Set(
    names.flatMap((name) =>
      name && booleanOf(name.attributes.get('avail')) ? [tokenOf(name)?.toLowerCase() ?? ''] : [],
    ),
  );
}

export function registryDomainOf(info: DomainInfo, viewpoint: Viewpoint): RegistryDomain {
  const { clientId, addedYears = 1 } = viewpoint;
  const { name, statuses, sponsor, creator, createdAt, expiresAt, delegation } = info;
  const sponsoredByUs = sponsor === clientId;
  if (sponsoredByUs && !(createdAt && (expiresAt ?? statuses.has('pendingCreate'))))
    throw new ProtocolError('a domain of ours without its dates');
  const phase = phaseOf(info);
  const end = endOf(phase, info, viewpoint);
  return {
    name: DomainName.fromState(name),
    phase,
    sponsoredByUs,
    createdByUs: creator === clientId,
    createdAt: createdAt ?? UNKNOWN,
    expiresAt: expiresAt ?? (createdAt ? addYears(createdAt, 1) : UNKNOWN),
    ...(addedYears > 1 && { addedYears }),
    nameservers: delegation.map(({ host }) => host),
    transferLocked: statuses.has('clientTransferProhibited') || statuses.has('serverTransferProhibited'),
    transferPending: statuses.has('pendingTransfer'),
    ...end,
  };
}

/** What is left to say where a registry refuses to show another registrar's domain. */
export function foreignDomain(name: DomainName): RegistryDomain {
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

/** Stands for an instant that the registry does not show of somebody else's domain. A registration that it has yet to decide has no expiry: a year stands for that. */
const UNKNOWN = new Date(0);

/** The first that applies. */
function phaseOf({ statuses, graceStatuses }: DomainInfo): RegistryPhase {
  if (statuses.has('pendingCreate')) return 'pending_create';
  if (graceStatuses.has('pendingRestore')) return 'pending_restore';
  if (graceStatuses.has('redemptionPeriod')) return 'redemption';
  if (graceStatuses.has('pendingDelete') || statuses.has('pendingDelete')) return 'pending_delete';
  return graceStatuses.has('autoRenewPeriod') ? 'auto_renew_grace' : 'registered';
}

/**
 * What the registry says, and otherwise an estimate from its periods: a deletion is the last update of a domain on its way
 * out, where the registry counts it as one.
 */
function endOf(
  phase: RegistryPhase,
  { graceEnds, expiresAt, updatedAt }: DomainInfo,
  { periods, addedYears = 1, now }: Viewpoint,
): Pick<RegistryDomain, 'phaseEndsAt' | 'phaseEndIsEstimate'> {
  if (phase === 'auto_renew_grace') {
    const phaseEndsAt =
      graceEnds.get('autoRenewPeriod') ??
      (expiresAt && addDays(addYears(expiresAt, -addedYears), periods.autoRenewGrace));
    return phaseEndsAt ? { phaseEndsAt } : {};
  }
  if (phase !== 'redemption' && phase !== 'pending_restore' && phase !== 'pending_delete') return {};
  const told = graceEnds.get(
    phase === 'redemption' ? 'redemptionPeriod' : phase === 'pending_restore' ? 'pendingRestore' : 'pendingDelete',
  );
  const days =
    phase === 'pending_delete'
      ? [periods.pendingDelete, periods.redemption + periods.pendingDelete]
      : [periods.redemption];
  const ends = told ? [told] : days.flatMap((count) => (updatedAt ? [addDays(updatedAt, count)] : []));
  const phaseEndsAt = ends.find((end) => end > now) ?? new Date(now.getTime() + OVERDUE_MS);
  return told && told > now ? { phaseEndsAt } : { phaseEndsAt, phaseEndIsEstimate: true };
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
  return (tokenOf(element) ?? '').toLowerCase().replace(/\.$/, '');
}

function text(parent: XmlElement | undefined, name: string): string | undefined {
  return tokenOf(childOf(parent, DOMAIN, name));
}

function instant(parent: XmlElement | undefined, name: string): Date | undefined {
  const written = text(parent, name);
  return written === undefined ? undefined : instantOf(written);
}
