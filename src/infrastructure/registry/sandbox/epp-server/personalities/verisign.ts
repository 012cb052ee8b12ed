import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, elementFactory, tokenOf } from '../../../epp/codec/xml-element';
import { offer } from '../../simulated/offers/tld-offer';
import { EppError } from '../epp-error';
import { extensionOf, required, type EppRequest } from '../xml/epp-request';
import { refuse, withoutExtensions, type Personality } from './personality';
import { rfc } from './rfc';

const { domain: DOMAIN, host: HOST } = NAMESPACES;
const NAMESTORE = 'http://www.verisign-grs.com/epp/namestoreExt-1.1';
const IDN_LANGUAGE = 'http://www.verisign.com/epp/idnLang-1.0';
const namestore = elementFactory(NAMESTORE);

/** The product of each TLD. */
const PRODUCTS: Readonly<Record<string, string>> = { com: 'dotCOM', net: 'dotNET', cc: 'dotCC', tv: 'dotTV' };

/**
 * Verisign: a thin registry. Every domain and host command names the product.
 * Sources: namestoreExt-1.1.xsd and idnLang-1.0.xsd of Verisign's EPP SDK (edvin/epp-verisign); Net::DRI, DRD/VeriSign/COM_NET.pm and
 * t/…/VeriSign/NameStore.t (thedarkwinter/Net-DRI). That an IDN without language is refused is our strictness.
 */
export const verisign: Personality = {
  ...rfc,
  objects: [DOMAIN, HOST],
  extensions: [NAMESPACES.rgp, NAMESPACES.secDNS, NAMESTORE, IDN_LANGUAGE],
  priceList: [
    offer('com', 10_44, 10_44),
    offer('net', 11_84, 11_84),
    offer('cc', 5_99, 11_99),
    offer('tv', 24_99, 32_99),
  ],
  contacts: { types: [] },
  accept: (request) => {
    assertProduct(request);
    if (request.body.namespace === DOMAIN && request.verb === 'create') assertNewDomain(request);
    return withoutExtensions(request, NAMESTORE, IDN_LANGUAGE);
  },
  respond: (request, reply) => {
    const product = extensionOf(request, NAMESTORE);
    return product ? { ...reply, extensions: [...(reply.extensions ?? []), product] } : reply;
  },
};

function assertProduct(request: EppRequest): void {
  const extension = extensionOf(request, NAMESTORE);
  if (!extension) throw new EppError(2003, 'namestoreExt is missing');
  const product = required(extension, NAMESTORE, 'subProduct');
  refuse(!Object.values(PRODUCTS).includes(product), 2306, `${product.slice(0, 32)} is not a product`);
  for (const element of childrenOf(request.body, DOMAIN, 'name')) {
    const name = tokenOf(element)?.toLowerCase() ?? '';
    const expected = PRODUCTS[name.slice(name.lastIndexOf('.') + 1)];
    if (expected !== product)
      throw new EppError(2306, `${name.slice(0, 64)} is not in ${product}`, namestore('subProduct', product));
  }
}

function assertNewDomain(request: EppRequest): void {
  const { body } = request;
  refuse(
    childOf(body, DOMAIN, 'registrant') !== undefined || childOf(body, DOMAIN, 'contact') !== undefined,
    2306,
    'This registry has no contacts',
  );
  const name = tokenOf(childOf(body, DOMAIN, 'name')) ?? '';
  refuse(name.startsWith('xn--') && !extensionOf(request, IDN_LANGUAGE), 2003, 'The language of an IDN is missing');
}
