import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { XmlElement } from './xml-element';
import { XmlError } from './xml-error';

interface XmlLimits {
  readonly bytes: number;
  readonly depth: number;
  /** Elements and attributes together. */
  readonly nodes: number;
}

/** Far above any real frame. The parser resolves prefixes by walking up the tree, so `depth` keeps parsing linear. */
export const XML_LIMITS: XmlLimits = { bytes: 1_048_576, depth: 64, nodes: 50_000 };

interface MutableElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses one UTF-8 document. Rejects a DOCTYPE, so only XML's five predefined entities exist and nothing external is read.
 * Time and memory are linear in `bytes.length`.
 * @throws XmlError
 */
export function parseXml(bytes: Uint8Array, limits: XmlLimits = XML_LIMITS): XmlElement {
  if (bytes.length > limits.bytes) throw new XmlError(`more than ${limits.bytes} bytes`);
  const text = decode(bytes);
  const parser = new SaxesParser({ xmlns: true, position: false, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  const open: MutableElement[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;
  const count = (): void => {
    nodes += 1;
    if (nodes > limits.nodes) throw new XmlError(`more than ${limits.nodes} elements and attributes`);
  };

  parser.on('error', (error) => {
    throw new XmlError('not well-formed', { cause: withoutContent(error) });
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^(?:utf-8|us-ascii)$/i.test(encoding))
      throw new XmlError('an encoding other than UTF-8');
  });
  parser.on('doctype', () => {
    throw new XmlError('a DOCTYPE');
  });
  parser.on('opentagstart', () => {
    count();
    if (open.length >= limits.depth) throw new XmlError(`more than ${limits.depth} levels`);
  });
  parser.on('attribute', count);
  parser.on('opentag', (tag) => {
    const element = toElement(tag);
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    root = open.pop();
  });
  const append = (text: string): void => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', append);
  parser.on('cdata', append);

  parser.write(text).close();
  if (!root) throw new XmlError('no root element');
  return root;
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new XmlError('not UTF-8', { cause: error });
  }
}

function toElement({ uri, local, attributes }: SaxesTagNS): MutableElement {
  const own = Object.values(attributes).flatMap(({ uri, local, value }): [string, string][] =>
    uri === '' ? [[local, value]] : [],
  );
  return { namespace: uri, name: local, attributes: new Map(own), children: [], text: '' };
}

/** The library's messages may quote the document, which may hold secrets. */
function withoutContent(error: Error): Error {
  return new Error(error.message.replace(/[:"'].*/s, ''));
}
