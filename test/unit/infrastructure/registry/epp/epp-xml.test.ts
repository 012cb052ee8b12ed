import { array, assert, constant, constantFrom, property, record, string, tuple, type Arbitrary } from 'fast-check';
import { parseXml, XML_LIMITS } from '../../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { writeXml } from '../../../../../src/infrastructure/registry/epp/codec/write-xml';
import {
  childOf,
  childrenOf,
  tokenOf,
  elementFactory,
  type XmlElement,
} from '../../../../../src/infrastructure/registry/epp/codec/xml-element';
import { RFC_FRAMES_MISSING, rfcFrames } from '../../../../support/epp/epp-fixtures';
import { seeded } from '../../../../support/seeded';
import { describeOrSkip } from '../../../../support/describe-or-skip';

const parse = (text: string) => parseXml(Buffer.from(text));
const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
const many = (nodes: number) => `<a>${'<b/>'.repeat(nodes - 1)}</a>`;
const EPP = 'urn:ietf:params:xml:ns:epp-1.0';

describe('parsing XML', () => {
  it('identifies elements by namespace, not by prefix', () => {
    const prefixed = parse(`<e:epp xmlns:e="${EPP}"><e:hello/></e:epp>`);
    const byDefault = parse(`<epp xmlns="${EPP}"><hello/></epp>`);

    expect(prefixed).toEqual(byDefault);
    expect(childOf(prefixed, EPP, 'hello')).toBeDefined();
    expect(childOf(prefixed, 'urn:other', 'hello')).toBeUndefined();
  });

  it('keeps character data and CDATA, drops comments and processing instructions, and resolves predefined entities', () => {
    const { text } = parse('<a>1 &lt;<!-- no --><![CDATA[<2>]]><?no?> &amp;&#x20AC;&quot;&apos;&gt;</a>');

    expect(text).toBe('1 <<2> &€"\'>');
  });

  it('keeps only attributes without a namespace', () => {
    const { attributes } = parse('<a xmlns:x="urn:x" s="ok" x:s="no" __proto__="p"/>');

    expect([...attributes]).toEqual([
      ['s', 'ok'],
      ['__proto__', 'p'],
    ]);
  });

  it('collapses white space in tokens', () => {
    const root = parse('<a><b>\n  one \t two\n</b><b/></a>');

    expect(childrenOf(root, '', 'b').map(tokenOf)).toEqual(['one two', '']);
  });

  it.each([
    ['a DOCTYPE', '<!DOCTYPE a><a/>', 'a DOCTYPE'],
    ['an entity bomb', '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>', 'a DOCTYPE'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'a DOCTYPE'],
    ['an unknown entity', '<a>&nbsp;</a>', 'not well-formed'],
    ['tags that do not match', '<a><b></a></b>', 'not well-formed'],
    ['two roots', '<a/><a/>', 'not well-formed'],
    ['nothing', '', 'not well-formed'],
    ['what ends early', '<a><b>', 'not well-formed'],
    ['a prefix that is not declared', '<x:a/>', 'not well-formed'],
    ['an attribute given twice', '<a s="1" s="2"/>', 'not well-formed'],
    ['a bare <', '<a>1 < 2</a>', 'not well-formed'],
    ['a control character', '<a>\u0001</a>', 'not well-formed'],
    ['a control character by XML 1.1', '<?xml version="1.1"?><a>&#1;</a>', 'not well-formed'],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>', 'an encoding other than UTF-8'],
  ])('rejects %s', (_what, text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'XmlError', message }));
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(() => parseXml(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]))).toThrow('not UTF-8');
  });

  it('accepts documents up to its limits, and rejects larger ones', () => {
    parse(nested(XML_LIMITS.depth));
    parse(many(XML_LIMITS.nodes));
    expect(() => parse(nested(XML_LIMITS.depth + 1))).toThrow('more than 64 levels');
    expect(() => parse(many(XML_LIMITS.nodes + 1))).toThrow('more than 50000 elements and attributes');
    expect(() =>
      parse(`<a ${Array.from({ length: XML_LIMITS.nodes }, (_, index) => `a${index}="" `).join('')}/>`),
    ).toThrow('more than 50000 elements and attributes');
    expect(() => parseXml(Buffer.alloc(XML_LIMITS.bytes + 1, ' '))).toThrow('more than 1048576 bytes');
  });

  it('throws errors that do not quote the document', () => {
    const faults = [
      '<a><pw>secret</pw',
      '<secret:a/>',
      '<a secret="1" secret="2"/>',
      '<a>&secret;</a>',
      '<a></secret>',
    ];

    for (const fault of faults) {
      expect(() => parse(fault)).toThrow(
        expect.objectContaining({ name: 'XmlError', message: expect.not.stringContaining('secret') }),
      );
      expect(() => parse(fault)).toThrow(
        expect.objectContaining({ cause: expect.objectContaining({ message: expect.not.stringContaining('secret') }) }),
      );
    }
  });
});

describe('writing XML', () => {
  const epp = elementFactory(EPP);
  const domain = elementFactory('urn:ietf:params:xml:ns:domain-1.0');

  it('declares a namespace on first use, and omits undefined content', () => {
    const root = epp('epp', [
      epp('hello'),
      domain('name', 'a.example', { hosts: 'all', other: undefined }),
      undefined,
      [domain('null')],
    ]);

    expect(writeXml(root)).toBe(
      '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' +
        `<epp xmlns="${EPP}"><hello/><domain:name xmlns:domain="urn:ietf:params:xml:ns:domain-1.0" hosts="all">a.example</domain:name><domain:null xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"/></epp>`,
    );
  });

  it.each(['\u0000', '\u001b', '\ud800', '\ufffe'])(
    'rejects the character %j, which XML does not allow',
    (character) => {
      expect(() => writeXml(epp('msg', character))).toThrow('a character that XML cannot carry');
    },
  );

  it('writes documents that parse to the same tree', () => {
    const text = string({ unit: 'binary', maxLength: 20 }).filter(
      (value) => !/[^\t\n\r\P{Cc}]|[\u{fffe}\u{ffff}]/u.test(value),
    );
    const name = constantFrom('epp', 'a', 'b-1');
    const elementOf = (children: Arbitrary<XmlElement[]>): Arbitrary<XmlElement> =>
      record({
        namespace: constantFrom(EPP, 'urn:ietf:params:xml:ns:domain-1.0', 'urn:unheard-of', 'urn:other?a=1&b="2"'),
        name,
        attributes: array(tuple(name, text), { maxLength: 2 }).map((pairs) => new Map(pairs)),
        children,
        text,
      });
    const leaf = elementOf(constant([]));
    const branch = elementOf(array(leaf, { maxLength: 3 }));
    const element = elementOf(array(branch, { maxLength: 3 }));

    assert(
      property(element, (root) => expect(parseXml(Buffer.from(writeXml(root)))).toEqual(root)),
      seeded(300),
    );
  });
});

describeOrSkip(RFC_FRAMES_MISSING)('the example frames of the RFCs', () => {
  it('parse to the same tree after they are written again', () => {
    const frames = rfcFrames();

    for (const { file, bytes } of frames) {
      const root = parseXml(bytes);
      expect({ file, root: parseXml(Buffer.from(writeXml(root))) }).toEqual({ file, root });
    }
    expect(frames).toHaveLength(135);
  });
});
