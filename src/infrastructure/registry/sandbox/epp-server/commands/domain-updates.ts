import type { GlueHost } from '../../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../../domain/registration/domain-name';
import { addDays } from '../../../../../domain/shared/calendar';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import { booleanOf } from '../../../epp/mapping/data-types';
import type { DelegationSigner, Outcome, Registration, RegistrationDetails } from '../../simulated/registration';
import type { Case } from '../../simulated/registry-core';
import { delegate, lockTransfers, restore, restorePrice, setAuthCode } from '../../simulated/transitions';
import { contactIdOf } from '../xml/contact-xml';
import { assertHostCount, assertSponsor, glueOf, storedCode } from './domain-rules';
import {
  authInfoOf,
  canonicalAddress,
  delegationSignersOf,
  detailsOf,
  nameOf,
  restoreIsPending,
  RESTORE_REPORT_DAYS,
} from '../xml/domain-xml';
import { EppFailure } from '../epp-failure';
import type { EppReply } from '../xml/epp-reply';
import { extensionOf, required, type EppRequest } from '../xml/epp-request';
import { assertAgreed, feeData } from '../xml/fee-xml';
import type { RegistryBackend } from '../registry-backend';
import { assertUpdatable, changedStatuses, clientStatuses } from '../xml/status-xml';

const { domain: DOMAIN, rgp: RGP, secDNS: SECDNS, fee: FEE } = NAMESPACES;
const domain = elementFactory(DOMAIN);
const rgp = elementFactory(RGP);

const LOCK = 'clientTransferProhibited';
const SETTABLE = ['clientDeleteProhibited', 'clientHold', 'clientRenewProhibited', LOCK, 'clientUpdateProhibited'];
const CONTACT_TYPES = ['admin', 'billing', 'tech'];

type ContactReferences = RegistrationDetails['contacts'];

/** What an update comes to, once the registration is in hand. */
export type PreparedUpdate = (facts: Case) => Outcome & { readonly reply?: EppReply };

/** Updates of domains: what they name is looked up first, and what follows for the registration is pure. */
export class DomainUpdates {
  constructor(private readonly backend: RegistryBackend) {}

  /** @throws EppFailure */
  async prepare(request: EppRequest, name: DomainName): Promise<PreparedUpdate> {
    const restoration = childOf(extensionOf(request, RGP), RGP, 'restore');
    if (restoration)
      return restoration.attributes.get('op') === 'report'
        ? reportOf(restoration)
        : requestOf(extensionOf(request, FEE));
    const { body } = request;
    if (request.extensions.length === 0 && !['add', 'rem', 'chg'].some((part) => childOf(body, DOMAIN, part)))
      throw new EppFailure(2003, 'Nothing to change');
    const [added, removed] = [await this.partOf(body, 'add', name), await this.partOf(body, 'rem', name)];
    const registrant = await this.newRegistrant(body);
    const authInfo = authInfoOf(childOf(body, DOMAIN, 'chg'));
    const changeSigners = signersChange(extensionOf(request, SECDNS));
    return ({ held, offered, command }) => {
      if (held.phase === 'redemption' || held.phase === 'pending_delete') throw new EppFailure(2304, 'pendingDelete');
      assertUpdatable(detailsOf(held).statuses, removed.statuses);
      let current = withHosts(held, added.hosts, removed.hosts, (hosts, glue) => {
        assertHostCount(hosts, offered);
        return delegate(held, hosts, glue, offered);
      });
      current = withLock(current, added.statuses, removed.statuses);
      if (authInfo !== undefined)
        current = kept(setAuthCode(current, authInfo === null ? null : storedCode(authInfo, offered, command.now)));
      const details = detailsOf(current);
      return {
        registration: {
          ...current,
          details: {
            ...details,
            registrant: registrant === undefined ? details.registrant : registrant,
            contacts: changedContacts(details.contacts, added.contacts, removed.contacts),
            statuses: changedStatuses(details.statuses, withoutLock(added.statuses), withoutLock(removed.statuses)),
            ds: changeSigners(details.ds),
          },
        },
        charges: [],
        notices: [],
      };
    };
  }

  /** What a registry that removes before it checks the rest commits first; undefined where no host is to be removed. */
  prepareRemoval({ body }: EppRequest): PreparedUpdate | undefined {
    const removed = namedHosts(childOf(body, DOMAIN, 'rem')).map(({ host }) => host);
    if (removed.length === 0) return undefined;
    return ({ held, command: { registrar } }) => {
      assertSponsor(held, registrar);
      if (held.phase === 'redemption' || held.phase === 'pending_delete') throw new EppFailure(2304, 'pendingDelete');
      for (const host of removed)
        if (!held.nameservers.includes(host)) throw new EppFailure(2305, `${held.name} is not delegated to ${host}`);
      const nameservers = held.nameservers.filter((host) => !removed.includes(host));
      return {
        registration: { ...held, nameservers, glue: held.glue.filter(({ host }) => nameservers.includes(host)) },
        charges: [],
        notices: [],
      };
    };
  }

  /** The hosts that a delegation names: they exist where hosts are objects. @throws EppFailure */
  async wantedHosts(parent: XmlElement | undefined, name: DomainName): Promise<readonly GlueHost[]> {
    const ns = childOf(parent, DOMAIN, 'ns');
    const objects = childrenOf(ns, DOMAIN, 'hostObj');
    const attributes = childrenOf(ns, DOMAIN, 'hostAttr');
    const [expected, other] = this.backend.hostsAre === 'objects' ? [objects, attributes] : [attributes, objects];
    if (other.length > 0) throw new EppFailure(2306, `Hosts are ${this.backend.hostsAre} here`);
    if (this.backend.hostsAre === 'attributes') return expected.map((element) => attributeHost(element, name));
    const names = expected.map((element) => nameOf(tokenOf(element) ?? '').value);
    const there = new Set((await this.backend.store.hosts(names)).map((host) => host.name));
    for (const host of names)
      if (!there.has(host)) throw new EppFailure(2303, `There is no host ${host}`, domain('hostObj', host));
    if (new Set(names).size < names.length) throw new EppFailure(2306, 'A host is named twice');
    return names.map((host) => ({ host, addresses: [] }));
  }

  /** The contacts that a new domain names. @throws EppFailure */
  async wantedContacts(body: XmlElement): Promise<Pick<RegistrationDetails, 'registrant' | 'contacts'>> {
    const registrant = tokenOf(childOf(body, DOMAIN, 'registrant')) ?? null;
    const contacts = contactsIn(body);
    await this.assertContacts([...(registrant === null ? [] : [registrant]), ...contacts.map(({ id }) => id)]);
    return { registrant, contacts };
  }

  private async newRegistrant(body: XmlElement): Promise<string | null | undefined> {
    const text = tokenOf(childOf(childOf(body, DOMAIN, 'chg'), DOMAIN, 'registrant'));
    if (text) await this.assertContacts([text]);
    return text === '' ? null : text;
  }

  private async partOf(body: XmlElement, part: 'add' | 'rem', name: DomainName) {
    const element = childOf(body, DOMAIN, part);
    const contacts = element ? contactsIn(element) : [];
    if (part === 'add') await this.assertContacts(contacts.map(({ id }) => id));
    const hosts =
      part === 'add' ? await this.wantedHosts(element, name) : this.backend.removesFirst ? [] : namedHosts(element);
    return { hosts, contacts, statuses: clientStatuses(body, part, SETTABLE) };
  }

  private async assertContacts(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids.map(contactIdOf))];
    const there = new Set((await this.backend.store.contacts(wanted)).map(({ id }) => id));
    for (const id of wanted)
      if (!there.has(id)) throw new EppFailure(2303, `There is no contact ${id}`, domain('contact', id));
  }
}

/** RFC 3915: a restore is asked for, and takes effect with its report. */
function requestOf(fees: XmlElement | undefined): PreparedUpdate {
  return ({ held, offered, prices, command: { now } }) => {
    if (held.phase !== 'redemption') throw new EppFailure(2304, `${held.name} is not in its redemption period`);
    if (restoreIsPending(held, now)) throw new EppFailure(2304, `The report on the restore of ${held.name} is awaited`);
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
    if (!childOf(report, RGP, part)) throw new EppFailure(2003, `${part} is missing`);
  }
  return ({ held, offered, prices, command }) => {
    if (!restoreIsPending(held, command.now)) throw new EppFailure(2304, `No restore of ${held.name} awaits a report`);
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
    if (!present.includes(host)) throw new EppFailure(2306, `${held.name} is not delegated to ${host}`);
  const left = present.filter((host) => !removed.some((gone) => gone.host === host));
  for (const { host } of added)
    if (left.includes(host)) throw new EppFailure(2306, `${held.name} is delegated to ${host} already`);
  const glue = [...held.glue.filter(({ host }) => left.includes(host)), ...glueOf(added)];
  return kept(redelegate([...left, ...added.map(({ host }) => host)], glue));
}

function withLock(held: Registration, added: readonly string[], removed: readonly string[]): Registration {
  if (added.includes(LOCK) && held.transferLocked) throw new EppFailure(2306, `${LOCK} is set already`);
  if (removed.includes(LOCK) && !held.transferLocked) throw new EppFailure(2306, `${LOCK} is not set`);
  return added.includes(LOCK) || removed.includes(LOCK) ? kept(lockTransfers(held, added.includes(LOCK))) : held;
}

/** It is kept apart from the other statuses. */
function withoutLock(statuses: readonly string[]): readonly string[] {
  return statuses.filter((status) => status !== LOCK);
}

/** RFC 5910, the dsData interface. */
function signersChange(
  update: XmlElement | undefined,
): (present: readonly DelegationSigner[]) => readonly DelegationSigner[] {
  if (!update) return (present) => present;
  if (booleanOf(update.attributes.get('urgent')) || childOf(update, SECDNS, 'chg'))
    throw new EppFailure(2102, 'Neither urgency nor a signature life is known here');
  const removal = childOf(update, SECDNS, 'rem');
  const all = booleanOf(tokenOf(childOf(removal, SECDNS, 'all')));
  const [removed, added] = [delegationSignersOf(removal), delegationSignersOf(childOf(update, SECDNS, 'add'))];
  return (present) => {
    for (const signer of removed)
      if (!present.some((other) => same(other, signer)))
        throw new EppFailure(2306, 'A DS record to be removed is not there');
    const left = all ? [] : present.filter((signer) => !removed.some((gone) => same(gone, signer)));
    for (const signer of added)
      if (left.some((other) => same(other, signer)))
        throw new EppFailure(2306, 'A DS record to be added is there already');
    return [...left, ...added];
  };
}

function same(left: DelegationSigner, right: DelegationSigner): boolean {
  return (
    left.keyTag === right.keyTag &&
    left.algorithm === right.algorithm &&
    left.digestType === right.digestType &&
    left.digest === right.digest
  );
}

function changedContacts(
  present: ContactReferences,
  added: ContactReferences,
  removed: ContactReferences,
): ContactReferences {
  const is = (left: ContactReferences[number]) => (right: ContactReferences[number]) =>
    left.id === right.id && left.type === right.type;
  for (const contact of removed)
    if (!present.some(is(contact))) throw new EppFailure(2306, `${contact.id} is not a ${contact.type} contact`);
  for (const contact of added)
    if (present.some(is(contact))) throw new EppFailure(2306, `${contact.id} is a ${contact.type} contact already`);
  return [...present.filter((contact) => !removed.some(is(contact))), ...added];
}

function contactsIn(parent: XmlElement): ContactReferences {
  return childrenOf(parent, DOMAIN, 'contact').map((element) => {
    const type = element.attributes.get('type') ?? '';
    if (!CONTACT_TYPES.includes(type)) throw new EppFailure(2005, 'A contact is admin, billing or tech');
    return { type, id: tokenOf(element) ?? '' };
  });
}

function attributeHost(element: XmlElement, name: DomainName): GlueHost {
  const { value: host } = nameOf(required(element, DOMAIN, 'hostName'));
  const addresses = childrenOf(element, DOMAIN, 'hostAddr').map((address) => canonicalAddress(tokenOf(address) ?? ''));
  const isOwn = host.endsWith(`.${name.value}`);
  if (!isOwn && addresses.length > 0) throw new EppFailure(2306, `${host} is not under ${name.value}`);
  if (isOwn && addresses.length === 0) throw new EppFailure(2003, `${host} needs an address`);
  return { host, addresses };
}

/** To be removed: that they exist is for the delegation to say. */
function namedHosts(parent: XmlElement | undefined): readonly GlueHost[] {
  const ns = childOf(parent, DOMAIN, 'ns');
  const names = [
    ...childrenOf(ns, DOMAIN, 'hostObj'),
    ...childrenOf(ns, DOMAIN, 'hostAttr').flatMap((element) => childOf(element, DOMAIN, 'hostName') ?? []),
  ];
  return names.map((element) => ({ host: nameOf(tokenOf(element) ?? '').value, addresses: [] }));
}

function kept({ registration }: Outcome): Registration {
  if (!registration) throw new TypeError('an update leaves the registration there');
  return registration;
}
