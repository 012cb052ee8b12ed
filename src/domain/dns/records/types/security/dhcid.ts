import { bare } from '../rdata/presentation';
import type { TypeDefinition } from '../type-definition';
import type { ContentForm } from '../../text/content-form';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Identifier type and digest type: RFC 4701, section 3.1. */
const MIN_OCTETS = 3;
const MAX_OCTETS = 512;

/** RFC 4701: octets in base64 that only DHCP servers interpret. White space is removed. */
const dhcidContent: ContentForm = {
  canonicalize: (content) => {
    const text = content.replace(/[ \t]/g, '');
    if (text.length > 2 * MAX_OCTETS || !BASE64.test(text)) return undefined;
    const octets = Buffer.from(text, 'base64');
    return octets.length >= MIN_OCTETS && octets.length <= MAX_OCTETS ? octets.toString('base64') : undefined;
  },
  presentation: (canonical) => canonical,
};

/** RFC 4701. */
export const DHCID: TypeDefinition = {
  name: 'DHCID',
  number: 49,
  content: dhcidContent,
  expectation: 'the identity of a DHCP client in base64',
  numbers: {},
  allowedAtRoot: true,
  parse: (words) => ({ content: words.map(bare).join('') }),
  encode: ({ content }) => Buffer.from(content, 'base64'),
  decode: (reader) => ({ content: reader.rest().toString('base64') }),
};
