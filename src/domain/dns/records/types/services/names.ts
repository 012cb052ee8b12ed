import { isWildcard } from '../../record-name';
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
