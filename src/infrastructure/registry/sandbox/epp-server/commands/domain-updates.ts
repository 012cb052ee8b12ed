import type { GlueHost } from '../../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../../domain/shared/domain-name';
import { addDays } from '../../../../../domain/shared/time/calendar';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import { booleanOf } from '../../../epp/mapping/data-types';
import { isSameDsRecord, type DsRecord } from '../../../../../domain/dns/delegation/ds-record';
import { detailsOf, type Outcome, type Registration } from '../../simulated/registration';
import type { DecisionContext } from '../../simulated/registry-core';
import { delegate, lockTransfers, restore, restorePrice, setAuthCode } from '../../simulated/transitions';
import type { ContactReferences, DomainContacts } from './domain-contacts';
import { assertHostCount, assertSponsor, glueOf, storedCode } from './domain-rules';
import { authInfoOf, canonicalAddress, nameOf, restoreIsPending, RESTORE_REPORT_DAYS } from '../xml/domain-xml';
import { dsRecordsOf } from '../xml/security-xml';
import { EppError } from '../epp-error';
import type { ResponseData } from '../xml/epp-response';
import { extensionOf, required, type EppRequest } from '../xml/epp-request';
import { assertAgreed, feeData } from '../xml/fee-xml';
import type { RegistryBackend } from '../registry-backend';
import { assertUpdatable, changedStatuses, clientStatuses } from '../xml/status-xml';

const { domain: DOMAIN, rgp: RGP, secDNS: SECDNS, fee: FEE } = NAMESPACES;
const domain = elementFactory(DOMAIN);
const rgp = elementFactory(RGP);

const LOCK = 'clientTransferProhibited';
const CLIENT_STATUSES = [
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  LOCK,
  'clientUpdateProhibited',
];

/** Computes the outcome of an update for the current registration. */
type PreparedUpdate = (facts: DecisionContext) => Outcome & { readonly reply?: ResponseData };

/** Updates of domains. Reads contacts and hosts first; the change of the registration is then a pure function. */
export class DomainUpdates {
  constructor(
    private readonly backend: RegistryBackend,
    private readonly contacts: DomainContacts,
  ) {}

  /** @throws EppError */
  async prepare(request: EppRequest, name: DomainName): Promise<PreparedUpdate> {
    const restoration = childOf(extensionOf(request, RGP), RGP, 'restore');
    if (restoration)
      return restoration.attributes.get('op') === 'report'
        ? reportOf(restoration)
        : requestOf(extensionOf(request, FEE));
    const { body } = request;
    if (request.extensions.length === 0 && !['add', 'rem', 'chg'].some((part) => childOf(body, DOMAIN, part)))
      throw new EppError(2003, 'Nothing to change');
    const [added, removed] = [await this.partOf(body, 'add', name), await this.partOf(body, 'rem', name)];
    const registrant = await this.contacts.newRegistrant(body);
    const authInfo = authInfoOf(childOf(body, DOMAIN, 'chg'));
    const changeDsRecords = dsRecordsChange(extensionOf(request, SECDNS), (part) =>
      dsRecordsOf(part, name.value, this.backend.dsRecordsAre),
    );
    return ({ held, offered, command }) => {
      if (held.phase === 'redemption' || held.phase === 'pending_delete') throw new EppError(2304, 'pendingDelete');
      assertUpdatable(detailsOf(held).statuses, removed.statuses);
      let current = withHosts(held, added.hosts, removed.hosts, (hosts, glue) => {
        assertHostCount(hosts, offered);
        return delegate(held, hosts, glue, offered);
      });
      current = withLock(current, added.statuses, removed.statuses);
      if (authInfo !== undefined)
        current = requireRegistration(
          setAuthCode(current, authInfo === null ? null : storedCode(authInfo, offered, command.now)),
        );
      const details = detailsOf(current);
      return {
        registration: {
          ...current,
          details: {
            ...details,
            registrant: registrant === undefined ? details.registrant : registrant,
            contacts: changedContacts(details.contacts, added.contacts, removed.contacts),
            statuses: changedStatuses(details.statuses, withoutLock(added.statuses), withoutLock(removed.statuses)),
            ds: changeDsRecords(details.ds),
          },
        },
        charges: [],
        notices: [],
      };
    };
  }

  /** With `removesFirst`: the removal that is committed before `add` is checked; undefined without hosts to remove. */
  prepareRemoval({ body }: EppRequest): PreparedUpdate | undefined {
    const removed = namedHosts(childOf(body, DOMAIN, 'rem')).map(({ host }) => host);
    if (removed.length === 0) return undefined;
    return ({ held, command: { registrar } }) => {
      assertSponsor(held, registrar);
      if (held.phase === 'redemption' || held.phase === 'pending_delete') throw new EppError(2304, 'pendingDelete');
      for (const host of removed)
        if (!held.nameservers.includes(host)) throw new EppError(2305, `${held.name} is not delegated to ${host}`);
      const nameservers = held.nameservers.filter((host) => !removed.includes(host));
      return {
        registration: { ...held, nameservers, glue: held.glue.filter(({ host }) => nameservers.includes(host)) },
        charges: [],
        notices: [],
      };
    };
  }

  /** The hosts of a delegation. Host objects must exist. @throws EppError */
  async wantedHosts(parent: XmlElement | undefined, name: DomainName): Promise<readonly GlueHost[]> {
    const ns = childOf(parent, DOMAIN, 'ns');
    const objects = childrenOf(ns, DOMAIN, 'hostObj');
    const attributes = childrenOf(ns, DOMAIN, 'hostAttr');
    const [expected, other] = this.backend.hostsAre === 'objects' ? [objects, attributes] : [attributes, objects];
    if (other.length > 0) throw new EppError(2306, `This registry uses host ${this.backend.hostsAre}`);
    if (this.backend.hostsAre === 'attributes') return expected.map((element) => attributeHost(element, name));
    const names = expected.map((element) => nameOf(tokenOf(element) ?? '').value);
    const existing = new Set((await this.backend.store.hosts(names)).map((host) => host.name));
    for (const host of names)
      if (!existing.has(host)) throw new EppError(2303, `The host ${host} does not exist`, domain('hostObj', host));
    if (new Set(names).size < names.length) throw new EppError(2306, 'Duplicate host');
    return names.map((host) => ({ host, addresses: [] }));
  }

  private async partOf(body: XmlElement, part: 'add' | 'rem', name: DomainName) {
    const element = childOf(body, DOMAIN, part);
    const contacts = await this.contacts.inPart(part, element);
    const hosts =
      part === 'add' ? await this.wantedHosts(element, name) : this.backend.removesFirst ? [] : namedHosts(element);
    return {
      hosts,
      contacts,
      statuses: clientStatuses(body, part, this.backend.personality.statuses ?? CLIENT_STATUSES),
    };
  }
}

/** RFC 3915: a restore request takes effect with its report. */
function requestOf(fees: XmlElement | undefined): PreparedUpdate {
  return ({ held, offered, prices, command: { now } }) => {
    if (held.phase !== 'redemption') throw new EppError(2304, `${held.name} is not in its redemption period`);
    if (restoreIsPending(held, now)) throw new EppError(2304, `The restore of ${held.name} needs its report`);
    const price = restorePrice(held, offered, prices, now);
    assertAgreed(fees, price, false);
    const reportDue = addDays(now, RESTORE_REPORT_DAYS);
    const phaseEndsAt = held.phaseEndsAt && held.phaseEndsAt > reportDue ? held.phaseEndsAt : reportDue;
    return {
      registration: { ...held, phaseEndsAt, details: { ...detailsOf(held), restoreRequestedAt: now.getTime() } },
      charges: [],
      notices: [],
      reply: {
        extensions: [
          rgp('upData', rgp('rgpStatus', undefined, { s: 'pendingRestore' })),
          feeData('updData', fees, price),
        ],
      },
    };
  };
}

function reportOf(element: XmlElement): PreparedUpdate {
  const report = childOf(element, RGP, 'report');
  for (const part of ['preData', 'postData', 'delTime', 'resTime', 'resReason', 'statement']) {
    if (!childOf(report, RGP, part)) throw new EppError(2003, `${part} is missing`);
  }
  return ({ held, offered, prices, command }) => {
    if (!restoreIsPending(held, command.now)) throw new EppError(2304, `No restore of ${held.name} is pending`);
    const outcome = restore(held, offered, prices, command);
    return {
      ...outcome,
      registration: outcome.registration && {
        ...outcome.registration,
        details: { ...detailsOf(held), restoreRequestedAt: null },
      },
    };
  };
}

function withHosts(
  held: Registration,
  added: readonly GlueHost[],
  removed: readonly GlueHost[],
  redelegate: (hosts: readonly string[], glue: readonly GlueHost[]) => Outcome,
): Registration {
  if (added.length + removed.length === 0) return held;
  const present = held.nameservers;
  for (const { host } of removed)
    if (!present.includes(host)) throw new EppError(2306, `${held.name} is not delegated to ${host}`);
  const left = present.filter((host) => !removed.some((gone) => gone.host === host));
  for (const { host } of added)
    if (left.includes(host)) throw new EppError(2306, `${held.name} is already delegated to ${host}`);
  const glue = [...held.glue.filter(({ host }) => left.includes(host)), ...glueOf(added)];
  return requireRegistration(redelegate([...left, ...added.map(({ host }) => host)], glue));
}

function withLock(held: Registration, added: readonly string[], removed: readonly string[]): Registration {
  if (added.includes(LOCK) && held.transferLocked) throw new EppError(2306, `${LOCK} is already set`);
  if (removed.includes(LOCK) && !held.transferLocked) throw new EppError(2306, `${LOCK} is not set`);
  return added.includes(LOCK) || removed.includes(LOCK)
    ? requireRegistration(lockTransfers(held, added.includes(LOCK)))
    : held;
}

/** The transfer lock is stored separately. */
function withoutLock(statuses: readonly string[]): readonly string[] {
  return statuses.filter((status) => status !== LOCK);
}

/** RFC 5910 section 5.2.5. */
function dsRecordsChange(
  update: XmlElement | undefined,
  dsRecordsIn: (part: XmlElement | undefined) => readonly DsRecord[],
): (present: readonly DsRecord[]) => readonly DsRecord[] {
  if (!update) return (present) => present;
  if (booleanOf(update.attributes.get('urgent')) || childOf(update, SECDNS, 'chg'))
    throw new EppError(2102, 'urgent and maxSigLife are not supported');
  const removal = childOf(update, SECDNS, 'rem');
  const all = booleanOf(tokenOf(childOf(removal, SECDNS, 'all')));
  const [removed, added] = [dsRecordsIn(removal), dsRecordsIn(childOf(update, SECDNS, 'add'))];
  return (present) => {
    for (const dsRecord of removed)
      if (!present.some((other) => isSameDsRecord(other, dsRecord)))
        throw new EppError(2306, 'A DS record to remove does not exist');
    const left = all ? [] : present.filter((dsRecord) => !removed.some((gone) => isSameDsRecord(gone, dsRecord)));
    for (const dsRecord of added)
      if (left.some((other) => isSameDsRecord(other, dsRecord)))
        throw new EppError(2306, 'A DS record to add already exists');
    return [...left, ...added];
  };
}

function isSameContact(left: ContactReferences[number]) {
  return (right: ContactReferences[number]): boolean => left.id === right.id && left.type === right.type;
}

function changedContacts(
  present: ContactReferences,
  added: ContactReferences,
  removed: ContactReferences,
): ContactReferences {
  for (const contact of removed)
    if (!present.some(isSameContact(contact)))
      throw new EppError(2306, `${contact.id} is not a ${contact.type} contact`);
  for (const contact of added)
    if (present.some(isSameContact(contact)))
      throw new EppError(2306, `${contact.id} is already a ${contact.type} contact`);
  return [...present.filter((contact) => !removed.some(isSameContact(contact))), ...added];
}

function attributeHost(element: XmlElement, name: DomainName): GlueHost {
  const { value: host } = nameOf(required(element, DOMAIN, 'hostName'));
  const addresses = childrenOf(element, DOMAIN, 'hostAddr').map((address) => canonicalAddress(tokenOf(address) ?? ''));
  const isOwn = host.endsWith(`.${name.value}`);
  if (!isOwn && addresses.length > 0) throw new EppError(2306, `${host} is not under ${name.value}`);
  if (isOwn && addresses.length === 0) throw new EppError(2003, `${host} needs an address`);
  return { host, addresses };
}

/** Hosts to remove, which the delegation validates. */
function namedHosts(parent: XmlElement | undefined): readonly GlueHost[] {
  const ns = childOf(parent, DOMAIN, 'ns');
  const names = [
    ...childrenOf(ns, DOMAIN, 'hostObj'),
    ...childrenOf(ns, DOMAIN, 'hostAttr').flatMap((element) => childOf(element, DOMAIN, 'hostName') ?? []),
  ];
  return names.map((element) => ({ host: nameOf(tokenOf(element) ?? '').value, addresses: [] }));
}

function requireRegistration({ registration }: Outcome): Registration {
  if (!registration) throw new TypeError('an update must not end the registration');
  return registration;
}
