import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { DomainName } from '../../../../../domain/shared/domain-name';
import { ValidationError } from '../../../../../domain/shared/validation-error';
import { addDays, addYears } from '../../../../../domain/shared/time/calendar';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, tokenOf, elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import { ipVersionOf } from '../../../epp/mapping/commands/host-commands';
import { MAX_YEARS_AHEAD } from '../../simulated/registration-lifecycle';
import { detailsOf, type Registration, type TransferRecord } from '../../simulated/registration';
import type { TldOffer } from '../../simulated/offers/tld-offer';
import { EppError } from '../epp-error';
import { required } from './epp-request';

const { domain: DOMAIN, rgp: RGP } = NAMESPACES;
const domain = elementFactory(DOMAIN);
const rgp = elementFactory(RGP);

/** Days within which a restore report must follow its request. */
export const RESTORE_REPORT_DAYS = 7;

/** @throws EppError */
export function domainNameOf(body: XmlElement): DomainName {
  return nameOf(required(body, DOMAIN, 'name'));
}

/** @throws EppError */
export function nameOf(text: string): DomainName {
  try {
    return DomainName.parse(text);
  } catch (error) {
    if (error instanceof ValidationError) throw new EppError(2005, `${text.slice(0, 64)} is not a domain name`);
    throw error;
  }
}

/** @throws EppError */
export function canonicalAddress(text: string): string {
  if (isIPv4(text)) return text;
  if (!isIPv6(text) || text.includes('%')) throw new EppError(2005, 'Invalid IP address');
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** The period in years; one if absent. @throws EppError */
export function yearsOf(parent: XmlElement, namespace: string = DOMAIN): number {
  const period = childOf(parent, namespace, 'period');
  if (!period) return 1;
  const text = tokenOf(period) ?? '';
  if (!/^\d{1,2}$/.test(text) || Number(text) === 0) throw new EppError(2005, 'A period is a number from 1 to 99');
  if (period.attributes.get('unit') !== 'm') return Number(text);
  if (Number(text) % 12 !== 0) throw new EppError(2306, 'Periods are whole years');
  return Number(text) / 12;
}

/** The password; null if empty or removed, undefined if absent. @throws EppError */
export function authInfoOf(parent: XmlElement | undefined, namespace: string = DOMAIN): string | null | undefined {
  const authInfo = childOf(parent, namespace, 'authInfo');
  if (!authInfo) return undefined;
  if (childOf(authInfo, namespace, 'ext')) throw new EppError(2102, 'Authorization information is a password');
  return childOf(authInfo, namespace, 'pw')?.text.replace(/[\t\r\n]/g, ' ') || null;
}

function statusesOf(registration: Registration): readonly string[] {
  const { phase, transfer, transferLocked, nameservers } = registration;
  const statuses = [...detailsOf(registration).statuses];
  if (transferLocked) statuses.push('clientTransferProhibited');
  if (phase === 'redemption' || phase === 'pending_delete') statuses.push('pendingDelete');
  if (transfer) statuses.push('pendingTransfer');
  if (nameservers.length === 0) statuses.push('inactive');
  return statuses.length > 0 ? statuses : ['ok'];
}

export function restoreIsPending(registration: Registration, now: Date): boolean {
  const { restoreRequestedAt } = detailsOf(registration);
  return (
    registration.phase === 'redemption' &&
    restoreRequestedAt !== null &&
    now < addDays(new Date(restoreRequestedAt), RESTORE_REPORT_DAYS)
  );
}

/** `<rgp:infData>` of a name in a grace period, with `endDate=` like Verisign's. */
export function graceData(registration: Registration, now: Date): XmlElement | undefined {
  const { phase, phaseEndsAt, addGraceEndsAt } = registration;
  const statuses: XmlElement[] = [];
  const add = (s: string, end: Date | null) =>
    statuses.push(rgp('rgpStatus', end ? `endDate=${end.toISOString()}` : undefined, { s }));
  if (addGraceEndsAt && now < addGraceEndsAt) add('addPeriod', addGraceEndsAt);
  if (phase === 'auto_renew_grace') add('autoRenewPeriod', phaseEndsAt);
  if (phase === 'redemption')
    add(restoreIsPending(registration, now) ? 'pendingRestore' : 'redemptionPeriod', phaseEndsAt);
  if (phase === 'pending_delete') add('pendingDelete', phaseEndsAt);
  return statuses.length > 0 ? rgp('infData', statuses) : undefined;
}

interface ShownHosts {
  readonly delegation: readonly string[];
  readonly subordinates: readonly string[];
  readonly hostsAre: 'objects' | 'attributes';
}

/** All data, for the sponsor. */
export function domainData(registration: Registration, { delegation, subordinates, hostsAre }: ShownHosts): XmlElement {
  const { sponsor, creator, createdAt, expiresAt, glue } = registration;
  const { registrant, contacts, updatedBy, updatedAt, transfer } = detailsOf(registration);
  const ns = delegation.map((host) => {
    if (hostsAre === 'objects') return domain('hostObj', host);
    const addresses = glue.find((candidate) => candidate.host === host)?.addresses ?? [];
    return domain('hostAttr', [
      domain('hostName', host),
      addresses.map((address) => domain('hostAddr', address, { ip: ipVersionOf(address) })),
    ]);
  });
  const transferred = transfer?.gaining === sponsor ? domain('trDate', instant(transfer.actionAt)) : undefined;
  return domain('infData', [
    head(registration),
    registrant === null ? undefined : domain('registrant', registrant),
    contacts.map(({ type, id }) => domain('contact', id, { type })),
    ns.length > 0 ? domain('ns', ns) : undefined,
    subordinates.map((host) => domain('host', host)),
    domain('clID', sponsor),
    domain('crID', creator),
    domain('crDate', createdAt.toISOString()),
    updatedBy === null || updatedAt === null
      ? undefined
      : [domain('upID', updatedBy), domain('upDate', instant(updatedAt))],
    domain('exDate', expiresAt.toISOString()),
    transferred,
  ]);
}

/** Data for other registrars. */
export function publicDomainData(registration: Registration): XmlElement {
  return domain('infData', [head(registration), domain('clID', registration.sponsor)]);
}

function head(registration: Registration): readonly XmlElement[] {
  return [
    domain('name', registration.name),
    domain('roid', roidOf('D', registration.name, registration.createdAt)),
    ...statusesOf(registration).map((s) => domain('status', undefined, { s })),
  ];
}

/** Data of a deleted name: its last sponsor. */
export function formerDomainData(name: string, registrar: string): XmlElement {
  return domain('infData', [domain('name', name), domain('roid', roidOf('D', name)), domain('clID', registrar)]);
}

export function transferData(held: Registration, record: TransferRecord, offered: TldOffer): XmlElement {
  const { min: years } = offered.renewalYears;
  const expiresAt =
    record.state === 'pending'
      ? earlier(
          addYears(held.autoRenewedFrom ?? held.expiresAt, years),
          addYears(new Date(record.actionAt), MAX_YEARS_AHEAD),
        )
      : held.expiresAt;
  return domain('trnData', [
    domain('name', held.name),
    domain('trStatus', record.state),
    domain('reID', record.gaining),
    domain('reDate', instant(record.requestedAt)),
    domain('acID', record.losing),
    domain('acDate', instant(record.actionAt)),
    domain('exDate', expiresAt.toISOString()),
  ]);
}

/** The repository object id: constant for one registration, different for the next one of the name. */
export function roidOf(kind: 'C' | 'D' | 'H', name: string, createdAt?: Date): string {
  return `${kind}${createHash('sha256')
    .update(`${name} ${createdAt?.getTime() ?? ''}`)
    .digest('hex')
    .slice(0, 16)
    .toUpperCase()}-NWSB`;
}

function instant(epochMillis: number): string {
  return new Date(epochMillis).toISOString();
}

function earlier(left: Date, right: Date): Date {
  return left < right ? left : right;
}
