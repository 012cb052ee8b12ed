import { NAMESPACES } from './namespaces';
import type { XmlElement } from './xml-element';
import { XmlError } from './xml-error';

/** The prefixes of the RFCs, because some servers depend on them. */
const PREFIXES = new Map<string, string>(Object.entries(NAMESPACES).map(([prefix, namespace]) => [namespace, prefix]));
const INVALID_XML_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** The root's namespace is the default; others are declared with a prefix on first use. @throws XmlError */
export function writeXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n${write(root, new Map([[root.namespace, '']]), root.namespace)}`;
}

function write(element: XmlElement, inScope: ReadonlyMap<string, string>, declare?: string): string {
  const { namespace, name, attributes, children, text } = element;
  const known = inScope.get(namespace);
  const prefix = known ?? PREFIXES.get(namespace) ?? prefixFor(namespace, inScope);
  const scope = known === undefined ? new Map(inScope).set(namespace, prefix) : inScope;
  const tag = prefix === '' ? name : `${prefix}:${name}`;
  const declaration =
    known === undefined
      ? ` xmlns:${prefix}="${attribute(namespace)}"`
      : declare === undefined
        ? ''
        : ` xmlns="${attribute(declare)}"`;
  const written = [...attributes].map(([key, value]) => ` ${key}="${attribute(value)}"`).join('');
  const content = escape(text, /[&<>\r]/g) + children.map((child) => write(child, scope)).join('');
  return content === '' ? `<${tag}${declaration}${written}/>` : `<${tag}${declaration}${written}>${content}</${tag}>`;
}

/** `idn` for `urn:ietf:params:xml:ns:idn-1.0`: the last part without its version, like in the registries' documents. */
function prefixFor(namespace: string, inScope: ReadonlyMap<string, string>): string {
  const name = /([a-z][\w-]*?)(?:-\d[\d.]*)?$/i.exec(namespace)?.[1] ?? '';
  return name === '' || [...inScope.values()].includes(name) ? `x${inScope.size}` : name;
}

function attribute(value: string): string {
  return escape(value, /[&<>"'\t\n\r]/g);
}

function escape(value: string, special: RegExp): string {
  if (INVALID_XML_CHARACTER.test(value)) throw new XmlError('a character that XML cannot carry');
  return value.replace(special, (character) => ESCAPES[character] ?? character);
}
