import { characterString, domainName, mnemonic, nameOrRoot, quotedRest, sixteenBits } from '../rdata/rdata-fields';
import { rdataType } from '../rdata/rdata-type';

/** RFC 3403, section 4. */
export const NAPTR = rdataType({
  name: 'NAPTR',
  number: 35,
  parts: [
    { label: 'Order', example: '100', hint: 'Lowest value first' },
    { label: 'Preference', example: '10', hint: 'Among records of the same order' },
    { label: 'Flags', example: 'S', hint: 'S, A, U, P or empty', isQuoted: true, isOptional: true },
    { label: 'Service', example: 'SIP+D2U', isQuoted: true, isOptional: true },
    {
      label: 'Regular expression',
      example: '!^.*$!sip:info@example.com!',
      hint: 'Empty if there is a replacement',
      isQuoted: true,
      isOptional: true,
    },
    { label: 'Replacement', example: '_sip._udp.example.com.', hint: '. for none' },
  ],
  fields: [sixteenBits, sixteenBits, characterString, characterString, characterString, nameOrRoot],
  expectation:
    '<order> <preference> "<flags>" "<service>" "<regular expression>" <replacement>, such as 100 10 "S" "SIP+D2U" "" _sip._udp.example.com.',
});

/** RFC 7553. The target is not empty. */
export const URI = rdataType({
  name: 'URI',
  number: 256,
  parts: [
    { label: 'URI priority', example: '10', hint: 'Lowest value first' },
    { label: 'URI weight', example: '1', hint: 'Relative share within a priority' },
    { label: 'URI', example: 'https://www.example.com/', isQuoted: true },
  ],
  fields: [sixteenBits, sixteenBits, quotedRest((target) => /^[!#-[\]-~]+$/.test(target))],
  expectation: '<priority> <weight> "<URI>", such as 10 1 "https://www.example.com/"',
});

/** RFC 1035, section 3.3.2; RFC 8482 uses it for minimal answers. */
export const HINFO = rdataType({
  name: 'HINFO',
  number: 13,
  parts: [
    { label: 'CPU', example: 'ARM64', isQuoted: true },
    { label: 'Operating system', example: 'Linux', isQuoted: true },
  ],
  fields: [characterString, characterString],
  expectation: '"<CPU>" "<operating system>", such as "ARM64" "Linux"',
});

/** RFC 9859, section 2: where to send NOTIFY if a child has new CDS, CDNSKEY or CSYNC records. Under `_dsync`, often with a wildcard. */
export const DSYNC = rdataType({
  name: 'DSYNC',
  number: 66,
  isNewToOthers: true,
  parts: [
    { label: 'Record type', example: 'CDS', hint: 'CDS, CSYNC, or TYPE and a number' },
    { label: 'Scheme', example: 'NOTIFY', hint: 'NOTIFY, or a number' },
    { label: 'Port of the target', example: '53' },
    { label: 'Target', example: 'scanner.example.net.' },
  ],
  fields: [mnemonic(2, { CDS: 59, CSYNC: 62 }, 'TYPE'), mnemonic(1, { NOTIFY: 1 }), sixteenBits, domainName],
  expectation: '<record type> <scheme> <port> <target>, such as CDS NOTIFY 53 scanner.example.net.',
});
