import { characterString, nameOrRoot, quotedRest, sixteenBits } from '../rdata/rdata-fields';
import { rdataType } from '../rdata/rdata-type';

/** RFC 3403, section 4. */
export const NAPTR = rdataType({
  name: 'NAPTR',
  number: 35,
  fields: [sixteenBits, sixteenBits, characterString, characterString, characterString, nameOrRoot],
  expectation:
    '<order> <preference> "<flags>" "<service>" "<regular expression>" <replacement>, such as 100 10 "S" "SIP+D2U" "" _sip._udp.example.com.',
});

/** RFC 7553. The target is not empty. */
export const URI = rdataType({
  name: 'URI',
  number: 256,
  fields: [sixteenBits, sixteenBits, quotedRest((target) => /^[!#-[\]-~]+$/.test(target))],
  expectation: '<priority> <weight> "<URI>", such as 10 1 "https://www.example.com/"',
});

/** RFC 1035, section 3.3.2; RFC 8482 uses it for minimal answers. */
export const HINFO = rdataType({
  name: 'HINFO',
  number: 13,
  fields: [characterString, characterString],
  expectation: '"<CPU>" "<operating system>", such as "ARM64" "Linux"',
});
