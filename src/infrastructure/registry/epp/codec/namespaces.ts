/** Supported namespaces by the prefix in their RFC. */
export const NAMESPACES = {
  epp: 'urn:ietf:params:xml:ns:epp-1.0',
  domain: 'urn:ietf:params:xml:ns:domain-1.0',
  host: 'urn:ietf:params:xml:ns:host-1.0',
  contact: 'urn:ietf:params:xml:ns:contact-1.0',
  rgp: 'urn:ietf:params:xml:ns:rgp-1.0',
  secDNS: 'urn:ietf:params:xml:ns:secDNS-1.1',
  fee: 'urn:ietf:params:xml:ns:epp:fee-1.0',
  loginSec: 'urn:ietf:params:xml:ns:epp:loginSec-1.0',
} as const;
