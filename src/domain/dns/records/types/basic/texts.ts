import { CAA_TAGS, caaContent } from '../../text/caa-content';
import { parseCharacterStrings, quoteCharacterString } from '../../text/character-string';
import { txtContent, wireTxt } from '../../text/txt-content';
import { bare, fields, quoted } from '../rdata/presentation';
import type { TypeDefinition } from '../type-definition';

export const TXT: TypeDefinition = {
  name: 'TXT',
  number: 16,
  content: txtContent,
  expectation:
    'text of 1 to 4096 octets without control characters; or, if it starts with a double quote, strings in double quotes, in which \\", \\\\ and \\DDD are escapes',
  numbers: {},
  allowedAtRoot: true,
  parse: (words) => ({ content: words.map(quoted).join(' ') }),
  encode: ({ content }) => wireTxt(content),
  decode: (reader) => ({ content: reader.strings().map(quoteCharacterString).join(' ') }),
};

export const CAA: TypeDefinition = {
  name: 'CAA',
  number: 257,
  content: caaContent, // RFC 8659
  expectation: `<flags> <tag> "<value>": flags 0 or 128; tag ${CAA_TAGS.join(', ')}; value an issuer such as ca.example.net, optionally with "; name=value" parameters, or ; for no issuer (issue…), a mailto:, http: or https: URL (iodef), or text (contact…)`,
  numbers: {},
  allowedAtRoot: true,
  parse: (words) => {
    const [flags, tag = flags, value = flags] = fields(words, 3, 'flags, a tag and a value');
    return { content: `${bare(flags)} ${bare(tag)} ${quoted(value)}` };
  },
  encode: ({ content }) => {
    const [flags = '', tag = '', value = ''] = parseCharacterStrings(content) ?? [];
    return Buffer.concat([Buffer.from([Number(flags)]), wireString(tag), Buffer.from(value, 'latin1')]);
  },
  decode: (reader) => {
    const flags = reader.integer(1);
    const tag = reader.string();
    const value = reader.rest().toString('latin1');
    return { content: `${flags} ${quoteCharacterString(tag)} ${quoteCharacterString(value)}` };
  },
};

function wireString(octets: string): Buffer {
  return Buffer.concat([Buffer.from([octets.length]), Buffer.from(octets, 'latin1')]);
}
