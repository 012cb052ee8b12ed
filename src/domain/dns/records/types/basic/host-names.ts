import { isWildcard } from '../../record-name';
import { canonicalName, mailExchanger, nameserverName, serviceTarget, wireTarget } from '../../target-name';
import { fields, sixteenBitNumber } from '../rdata/presentation';
import type { TypeDefinition } from '../type-definition';

const HOST =
  'a full host name such as mail.example.com (letters, digits and hyphens; no IP address), or @ for the zone apex';
/**
 * RFC 2782, and with an instance before the service RFC 6763, section 4.1. The limit of 15 characters (RFC 6335) is not enforced:
 * `_sipfederationtls` is in use.
 */
const SRV_NAME = /^(?:(?:[^._][^.]*\.)?_[^.]+|\*)\._[^.]+(?:\.|$)/;

export const CNAME: TypeDefinition = {
  name: 'CNAME',
  number: 5,
  content: canonicalName,
  expectation: 'a full domain name such as www.example.com, different from the record name, or @ for the zone apex',
  numbers: {},
  allowedAtRoot: false, // RFC 1912, section 2.4: the root always has NS and SOA
  parse: (words, absolute) => ({ content: absolute(fields(words, 1, 'a name')[0]) }),
  encode: ({ content }) => wireTarget(content),
  decode: (reader) => ({ content: reader.name() }),
};

export const NS: TypeDefinition = {
  name: 'NS',
  number: 2,
  content: nameserverName,
  expectation: HOST,
  numbers: {},
  allowedAtRoot: true,
  checkName: (name) => (isWildcard(name) ? 'NS records cannot have a wildcard name' : undefined), // RFC 4592, section 4.2
  parse: (words, absolute) => ({ content: absolute(fields(words, 1, 'a name')[0]) }),
  encode: ({ content }) => wireTarget(content),
  decode: (reader) => ({ content: reader.name() }),
};

export const MX: TypeDefinition = {
  name: 'MX',
  number: 15,
  content: mailExchanger, // RFC 7505
  expectation: `${HOST}; or . with priority 0 for a domain that accepts no mail`,
  numbers: { priority: 'required' },
  allowedAtRoot: true,
  parse: (words, absolute) => {
    const [priority, host] = fields(words, 2, 'a priority and a name');
    return { priority: sixteenBitNumber(priority), content: absolute(host ?? priority) };
  },
  encode: ({ content, priority }) => Buffer.concat([wireNumber(priority), wireTarget(content)]),
  decode: (reader) => ({ priority: reader.integer(2), content: reader.name() }),
};

export const SRV: TypeDefinition = {
  name: 'SRV',
  number: 33,
  content: serviceTarget, // RFC 2782
  expectation: `${HOST}; or . for a service that is not available; priority, weight and port are separate fields`,
  numbers: { priority: 'required', weight: { default: 0 }, port: 'required' },
  allowedAtRoot: true,
  checkName: (name) =>
    SRV_NAME.test(name)
      ? undefined
      : 'SRV names have the form _service._protocol, such as _sip._tcp, or instance._service._protocol',
  parse: (words, absolute) => {
    const [priority, weight = priority, port = priority, host = priority] = fields(
      words,
      4,
      'a priority, a weight, a port and a name',
    );
    return {
      priority: sixteenBitNumber(priority),
      weight: sixteenBitNumber(weight),
      port: sixteenBitNumber(port),
      content: absolute(host),
    };
  },
  encode: ({ content, priority, weight, port }) =>
    Buffer.concat([wireNumber(priority), wireNumber(weight), wireNumber(port), wireTarget(content)]),
  decode: (reader) => ({
    priority: reader.integer(2),
    weight: reader.integer(2),
    port: reader.integer(2),
    content: reader.name(),
  }),
};

function wireNumber(value: number | null): Buffer {
  const octets = Buffer.alloc(2);
  octets.writeUInt16BE(value ?? 0);
  return octets;
}
