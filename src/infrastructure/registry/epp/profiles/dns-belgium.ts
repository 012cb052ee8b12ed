import { NAMESPACES } from '../codec/namespaces';
import { childOf, elementFactory, tokenOf, type Content } from '../codec/xml-element';
import { epp } from '../mapping/commands/command';
import { instantOf } from '../mapping/data-types';
import { type CommandFacts, type Frame, type RegistryProfile, withExtension } from './profile';
import { rfc } from './rfc';

const DNSBE = 'http://www.dns.be/xml/epp/dnsbe-1.0';
const dnsbe = elementFactory(DNSBE);
const domain = elementFactory(NAMESPACES.domain);

/**
 * DNS Belgium (.be). From docs.dnsbelgium.be ("Contact types", "Info domain", "Delete domain", "Undelete domain", "Deletes") and public client code: Net::DRI at deabb619
 * (Extensions/DNSBE, DRD/DNSBelgium/BE.pm). docs/registries/dns-belgium.md lists what is unverified.
 */
export const dnsBelgium: RegistryProfile = {
  ...rfc,
  name: 'dns-belgium',
  extensions: [DNSBE],
  hosts: 'attribute',
  dnssec: { form: 'keys' },
  // "Contact types": one billing contact, and at least one of type tech or onsite: `contact_handles` must name both.
  contacts: {
    ...rfc.contacts,
    use: 'registrant',
    roles: [],
    requiredHandles: [['billing'], ['tech', 'onsite']],
    ids: 'registry',
    placeholderId: 'AUTO',
    postalInfo: 'loc',
  },
  // Net::DRI DNSBE/Domain.pm request_authcode: the registry sends the code to the registrant.
  authCodes: { create: 'empty', issue: 'none', withdraw: 'none' },
  transfers: { ...rfc.transfers, period: 'omitted', contacts: true },
  // Net::DRI DRD/DNSBelgium/BE.pm excludes domain_renew: names are extended by the registry.
  renewal: 'none',
  scheduledDeletion: 'command',
  rules: { ...rfc.rules, years: { min: 1, max: 1 } },
  unsupported: ['restore', 'price_guard', 'auto_renew', 'add_grace', 'cancel_transfer', 'decide_transfer'],
  options: { language: 'en' },
  complete,
  // t/…/DNSBE.t: deletionDate of an info of version 2.0.
  readDomain: ({ extension }) => {
    const data = childOf(childOf(childOf(extension, DNSBE, 'ext'), DNSBE, 'infData'), DNSBE, 'domain');
    const date = tokenOf(childOf(data, DNSBE, 'deletionDate'));
    return date ? { deletionDate: instantOf(date) } : {};
  },
  validate: ({ language }) =>
    ['en', 'fr', 'nl'].includes(String(language)) ? [] : [{ path: 'language', message: 'must be en, fr or nl' }],
};

function complete(frame: Frame, facts: CommandFacts): Frame {
  const { title, name, options, contacts, expiresAt } = facts;
  if (title === 'domain:info')
    return withExtension(frame, dnsbe('ext', dnsbe('info', dnsbe('domain', undefined, { version: '2.0' }))));
  if (title === 'domain:deletion:schedule') {
    // Without a date the name would be deleted on the same day.
    if (!expiresAt) throw new TypeError('a deletion needs a date');
    const body = epp('delete', domain('delete', domain('name', name)));
    return extended({ ...frame, body }, 'delete', 'domain', dnsbe('deleteDate', expiresAt.toISOString()));
  }
  if (title === 'domain:deletion:cancel')
    return { ...frame, body: epp('undelete', domain('undelete', domain('name', name))) };
  if (title === 'contact:create')
    return extended(frame, 'create', 'contact', [
      dnsbe('type', 'licensee'),
      dnsbe('lang', String(options['language'])),
    ]);
  if (title !== 'domain:transfer:request' || !contacts) return frame;
  // Net::DRI DNSBE/Domain.pm add_transfer: registrant, billing, tech, onsite, in this order.
  const { registrant, byType } = contacts;
  const named = ['billing', 'tech', 'onsite'].map((type) => byType[type] && dnsbe(type, byType[type]));
  return extended(frame, 'transfer', 'domain', [registrant && dnsbe('registrant', registrant), ...named]);
}

function extended(frame: Frame, command: string, object: string, content: Content): Frame {
  return withExtension(frame, dnsbe('ext', dnsbe(command, dnsbe(object, content))));
}
