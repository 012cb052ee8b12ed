import { NAMESPACES } from '../codec/namespaces';
import { elementFactory } from '../codec/xml-element';
import { idnLanguageIssues, idnLanguageOf } from './idn';
import { type CommandFacts, type ProfileOptions, type RegistryProfile, withExtension } from './profile';
import { rfc } from './rfc';

/**
 * Verisign's Shared Registry System: .com, .net, .cc, .tv and the TLDs that Verisign runs for others.
 *
 * - Registry documents (schemas in the Verisign EPP SDK): namestoreExt-1.1, idnLang-1.0, lowbalance-poll-1.0, rgp-poll-1.0.
 * - Public client code (Net::DRI: VeriSign/NameStore.pm, VeriSign/IDNLanguage.pm, DRD/VeriSign/COM_NET.pm): every command
 *   on domains and hosts names its sub-product, dotCOM for .com; no contact objects; at most 13 names in a check.
 * - Unverified, as in the RFCs: everything else. Never run against the registry.
 */
const NAMESTORE = 'http://www.verisign-grs.com/epp/namestoreExt-1.1';
const IDN_LANGUAGE = 'http://www.verisign.com/epp/idnLang-1.0';
const POLL_MESSAGES = ['http://www.verisign.com/epp/lowbalance-poll-1.0', 'http://www.verisign.com/epp/rgp-poll-1.0'];
/** The form of a tag of idnLang-1.0. */
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?$/;
const namestore = elementFactory(NAMESTORE);
const idnLang = elementFactory(IDN_LANGUAGE);

/** The login and the poll queue have no sub-product. */
const OBJECTS: readonly string[] = [NAMESPACES.domain, NAMESPACES.host];

export const verisign: RegistryProfile = {
  ...rfc,
  name: 'verisign',
  objects: POLL_MESSAGES,
  extensions: [NAMESTORE, IDN_LANGUAGE],
  contacts: { ...rfc.contacts, use: 'none', roles: [] },
  namesPerCheck: 13,
  options: { sub_products: {}, idn_languages: {} },
  complete: (frame, facts) => {
    const subProduct = subProductOf(facts);
    if (subProduct === undefined || !frame.body.children.some(({ namespace }) => OBJECTS.includes(namespace)))
      return frame;
    const language = facts.title === 'domain:create' ? idnLanguageOf(facts, LANGUAGE) : undefined;
    return withExtension(
      frame,
      namestore('namestoreExt', namestore('subProduct', subProduct)),
      ...(language === undefined ? [] : [idnLang('tag', language)]),
    );
  },
  validate: (options, tlds) => [...subProductIssues(options, tlds), ...idnLanguageIssues(options, LANGUAGE)],
};

/** `dotCOM` for `com`, unless `options.sub_products` names another. */
function subProductOf({ tld, options }: CommandFacts): string | undefined {
  if (tld === undefined) return undefined;
  const given = (options['sub_products'] as Readonly<Record<string, string>>)[tld];
  return given ?? `dot${tld.toUpperCase()}`;
}

function subProductIssues({ sub_products: written }: ProfileOptions, tlds: readonly string[]) {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    return [{ path: 'sub_products', message: 'must be a map from TLDs to sub-products, like com: dotCOM' }];
  return Object.entries(written).flatMap(([tld, subProduct]: [string, unknown]) => [
    ...(tlds.includes(tld)
      ? []
      : [{ path: `sub_products.${tld}`, message: 'must be one of the TLDs of this registry' }]),
    ...(typeof subProduct === 'string' && /^[\w.-]{1,64}$/.test(subProduct)
      ? []
      : [{ path: `sub_products.${tld}`, message: 'must be the name of a sub-product, like dotCOM' }]),
  ]);
}
