import { dhcidContent } from '../../dhcid-content';
import { bare } from '../rdata/presentation';
import type { TypeDefinition } from '../type-definition';

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
