import type { Money } from '../../../../../domain/shared/money';
import { NAMESPACES } from '../../codec/namespaces';
import { elementFactory, type XmlElement } from '../../codec/xml-element';
import { epp, query, transform, type CommandContacts, type EppCommand } from './command';
import { dateIn } from '../data-types';
import { agreedFee, feeCheck, type FeeRequest } from '../fee';
import { ipVersionOf } from './host-commands';
import { RESULT } from '../result-codes';

const domain = elementFactory(NAMESPACES.domain);
const rgp = elementFactory(NAMESPACES.rgp);

export const TRANSFER_LOCK = 'clientTransferProhibited';

export interface DelegatedHost {
  readonly host: string;
  /** Sent with the delegation as host attributes. */
  readonly addresses: readonly string[];
}

export interface ContactReference {
  readonly type: string;
  readonly id: string;
}

/** Host objects or host attributes (RFC 5731 section 1.1): a registry supports one of them, or takes no nameservers. */
export type HostMode = 'object' | 'attribute' | 'none';

export interface EppNewDomain {
  readonly name: string;
  readonly years: number;
  readonly hosts: readonly DelegatedHost[];
  readonly hostMode: HostMode;
  readonly registrant?: string | undefined;
  readonly contacts: readonly ContactReference[];
  readonly authCode: string;
  /** The agreed price of the whole term, if the registry supports the fee extension. */
  readonly price?: Money | undefined;
  readonly idnLanguage?: string | undefined;
}

export interface DomainParts {
  readonly hosts?: readonly DelegatedHost[];
  readonly contacts?: readonly ContactReference[];
  readonly statuses?: readonly string[];
}

export interface DomainUpdate {
  readonly add?: DomainParts;
  readonly remove?: DomainParts;
  readonly registrant?: string;
  /** `null` removes it (RFC 9154). */
  readonly authCode?: string | null;
}

interface RestoreReport {
  /** Registration data before the deletion and after the restore, as text. */
  readonly before: string;
  readonly after: string;
  readonly deletedAt: Date;
  readonly restoredAt: Date;
}

interface RequestedFees extends FeeRequest {
  readonly currency?: string;
}

export function checkDomains(names: readonly string[], fees?: RequestedFees): EppCommand {
  const body = domain(
    'check',
    names.map((name) => domain('name', name)),
  );
  return query('domain:check', epp('check', body), { extensions: [fees && feeCheck(fees.currency, fees)] });
}

export function infoDomain(name: string): EppCommand {
  return query('domain:info', epp('info', domain('info', infoName(name))), {
    expected: [RESULT.missing, RESULT.notSponsor],
  });
}

/** For a domain of another registrar: with its auth code, registries show it whole. */
export function infoDomainElsewhere(name: string, authCode: string): EppCommand {
  const parts = [infoName(name), domain('authInfo', domain('pw', authCode))];
  return query('domain:info', epp('info', domain('info', parts)), {
    expected: [RESULT.missing, RESULT.notSponsor, RESULT.invalidAuthCode],
  });
}

function infoName(name: string): XmlElement {
  return domain('name', name, { hosts: 'all' });
}

/** An info by which the registry issues or cancels an auth code, as a profile completes it. */
export function infoAuthCode(name: string, purpose: 'issue' | 'cancel'): EppCommand {
  const title = purpose === 'issue' ? 'domain:info:authInfo' : 'domain:info:authInfo:cancel';
  return { ...infoDomain(name), title, transforms: true };
}

export function createDomain({
  name,
  years,
  hosts,
  hostMode,
  registrant,
  contacts,
  authCode,
  price,
  idnLanguage,
}: EppNewDomain): EppCommand {
  const body = domain('create', [
    domain('name', name),
    period(years),
    nsElement(hosts, hostMode),
    registrant === undefined ? undefined : domain('registrant', registrant),
    contacts.map(contactElement),
    domain('authInfo', domain('pw', authCode)),
  ]);
  const command = transform('domain:create', epp('create', body), {
    extensions: [price && agreedFee('create', price)],
    expected: [RESULT.missing],
  });
  return { ...command, idnLanguage, contacts: commandContacts(registrant, contacts) };
}

export function renewDomain(
  name: string,
  currentExpiry: Date,
  years: number,
  price: Money | undefined,
  timeZone = 'UTC',
): EppCommand {
  const body = domain('renew', [
    domain('name', name),
    domain('curExpDate', dateIn(currentExpiry, timeZone)),
    period(years),
  ]);
  return transform('domain:renew', epp('renew', body), { extensions: [price && agreedFee('renew', price)] });
}

export function updateDomain(
  name: string,
  { add, remove, registrant, authCode }: DomainUpdate,
  hostMode: HostMode,
): EppCommand {
  const changes = [
    registrant === undefined ? undefined : domain('registrant', registrant),
    authCode === undefined
      ? undefined
      : domain('authInfo', authCode === null ? domain('null') : domain('pw', authCode)),
  ];
  const body = domain('update', [
    domain('name', name),
    partsElement('add', add, hostMode),
    partsElement('rem', remove, hostMode),
    changes.some((change) => change) ? domain('chg', changes) : undefined,
  ]);
  return transform('domain:update', epp('update', body));
}

export function deleteDomain(name: string): EppCommand {
  return transform('domain:delete', epp('delete', domain('delete', domain('name', name))));
}

/** A profile makes the registry's command of it. Without one it changes nothing. */
export function scheduleDeletion(name: string, expiresAt: Date | undefined): EppCommand {
  return { ...plainUpdate('domain:deletion:schedule', name), expiresAt };
}

export function cancelDeletion(name: string): EppCommand {
  return plainUpdate('domain:deletion:cancel', name);
}

function plainUpdate(title: string, name: string): EppCommand {
  return transform(title, epp('update', domain('update', domain('name', name))));
}

export function requestRestore(name: string, price: Money | undefined): EppCommand {
  return restore(name, rgp('restore', undefined, { op: 'request' }), price && agreedFee('update', price));
}

export function reportRestore(name: string, { before, after, deletedAt, restoredAt }: RestoreReport): EppCommand {
  const report = rgp('report', [
    rgp('preData', before),
    rgp('postData', after),
    rgp('delTime', deletedAt.toISOString()),
    rgp('resTime', restoredAt.toISOString()),
    rgp('resReason', 'Registrant requested the restore'),
    rgp(
      'statement',
      'This registrar has not restored the Registered Name in order to assume the rights to use or sell the Registered Name for itself or for any third party.',
    ),
    rgp(
      'statement',
      "The information in this report is true to the best of this registrar's knowledge, and this registrar acknowledges that intentionally supplying false information in this report shall constitute an incurable material breach of the Registry-Registrar Agreement.",
    ),
  ]);
  return restore(name, rgp('restore', report, { op: 'report' }));
}

/** An extension of an empty update (RFC 3915 section 4.2.5). */
function restore(name: string, restoreElement: XmlElement, fee?: XmlElement): EppCommand {
  return transform('domain:restore', epp('update', domain('update', [domain('name', name), domain('chg')])), {
    extensions: [rgp('update', restoreElement), fee],
  });
}

function partsElement(
  element: 'add' | 'rem',
  { hosts = [], contacts = [], statuses = [] }: DomainParts = {},
  hostMode: HostMode,
): XmlElement | undefined {
  if (hosts.length + contacts.length + statuses.length === 0) return undefined;
  return domain(element, [
    nsElement(hosts, hostMode),
    contacts.map(contactElement),
    statuses.map((s) => domain('status', undefined, { s })),
  ]);
}

function nsElement(hosts: readonly DelegatedHost[], hostMode: HostMode): XmlElement | undefined {
  if (hosts.length === 0) return undefined;
  return domain(
    'ns',
    hosts.map(({ host, addresses }) =>
      hostMode === 'object' ? domain('hostObj', host) : hostAttribute(host, addresses),
    ),
  );
}

function hostAttribute(host: string, addresses: readonly string[]): XmlElement {
  return domain('hostAttr', [
    domain('hostName', host),
    addresses.map((address) => domain('hostAddr', address, { ip: ipVersionOf(address) })),
  ]);
}

export function commandContacts(
  registrant: string | undefined,
  references: readonly ContactReference[],
): CommandContacts {
  return { registrant, byType: Object.fromEntries(references.map(({ type, id }) => [type, id])) };
}

function contactElement({ type, id }: ContactReference): XmlElement {
  return domain('contact', id, { type });
}

function period(years: number): XmlElement {
  return domain('period', String(years), { unit: 'y' });
}
