import { elementFactory } from '../codec/xml-element';
import type { CommandFacts, Frame, RegistryProfile } from './profile';
import { rfc } from './rfc';

const DNSBE = 'http://www.dns.be/xml/epp/dnsbe-1.0';
const dnsbe = elementFactory(DNSBE);

/**
 * DNS Belgium (.be). From docs.dnsbelgium.be ("Contact types", "Info domain") and public client code: Net::DRI at deabb619
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
  rules: { ...rfc.rules, years: { min: 1, max: 1 } },
  unsupported: ['restore', 'price_guard', 'auto_renew', 'add_grace', 'cancel_transfer', 'decide_transfer'],
  options: { language: 'en' },
  complete,
  validate: ({ language }) =>
    ['en', 'fr', 'nl'].includes(String(language)) ? [] : [{ path: 'language', message: 'must be en, fr or nl' }],
};

function complete(frame: Frame, { title, options, contacts }: CommandFacts): Frame {
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

function extended(
  { body, extensions }: Frame,
  command: string,
  object: string,
  content: Parameters<typeof dnsbe>[1],
): Frame {
  return { body, extensions: [...extensions, dnsbe('ext', dnsbe(command, dnsbe(object, content)))] };
}
