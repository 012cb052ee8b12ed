import { isWildcard } from '../../record-name';
import { canonicalName, wireTarget } from '../../target-name';
import { fields } from '../rdata/presentation';
import type { TypeDefinition } from '../type-definition';
import { domainName } from '../rdata/rdata-fields';
import { rdataType } from '../rdata/rdata-type';

const NAME = 'a full domain name such as www.example.com';

/** RFC 1035, section 3.3.12. */
export const PTR = rdataType({ name: 'PTR', number: 12, fields: [domainName], expectation: NAME });

/** RFC 6672. Its neighbors are limited by the zone's rules. */
export const DNAME = rdataType({
  name: 'DNAME',
  number: 39,
  fields: [domainName],
  expectation: NAME,
  // RFC 6672, section 3.3: the effect of a wildcard DNAME is not defined.
  checkName: (name) => (isWildcard(name) ? 'DNAME records cannot have a wildcard name' : undefined),
});

/**
 * Not a DNS type: nameservers get the addresses of the target in its place. The number is PowerDNS's, from the range for private use
 * (RFC 6895, section 3.1).
 */
export const ALIAS: TypeDefinition = {
  name: 'ALIAS',
  number: 65_401,
  content: canonicalName,
  expectation: `${NAME}, different from the record name; its addresses are published in place of the record`,
  numbers: {},
  allowedAtRoot: true,
  parse: (words, absolute) => ({ content: absolute(fields(words, 1, 'a name')[0]) }),
  encode: ({ content }) => wireTarget(content),
  decode: (reader) => ({ content: reader.name() }),
};
