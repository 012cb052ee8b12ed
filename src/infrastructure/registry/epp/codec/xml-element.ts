/** An element, identified by namespace and name. Prefixes and comments are not kept. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a namespace. EPP defines no others. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The element's character data, unchanged. */
  readonly text: string;
}

export type Content = string | XmlElement | undefined | readonly Content[];

/** Returns a function that builds elements of one namespace. Omits undefined content and attributes. */
export function elementFactory(
  namespace: string,
): (name: string, content?: Content, attributes?: Readonly<Record<string, string | undefined>>) => XmlElement {
  return (name, content, attributes = {}) => {
    const parts = flat(content);
    return {
      namespace,
      name,
      attributes: new Map(
        Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      ),
      children: parts.filter((part) => typeof part !== 'string'),
      text: parts.filter((part) => typeof part === 'string').join(''),
    };
  };
}

function flat(content: Content): (string | XmlElement)[] {
  if (content === undefined) return [];
  return isList(content) ? content.flatMap(flat) : [content];
}

function isList(content: string | XmlElement | readonly Content[]): content is readonly Content[] {
  return Array.isArray(content);
}

/** The element with its descendants, those of one namespace in another. */
export function inNamespace(element: XmlElement, from: string, to: string): XmlElement {
  return {
    ...element,
    namespace: element.namespace === from ? to : element.namespace,
    children: element.children.map((child) => inNamespace(child, from, to)),
  };
}

/** In document order; none if `element` is undefined. */
export function childrenOf(element: XmlElement | undefined, namespace: string, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name && child.namespace === namespace) ?? [];
}

export function childOf(element: XmlElement | undefined, namespace: string, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name && child.namespace === namespace);
}

/** The `xs:token` value, with white space collapsed; undefined if `element` is undefined. */
export function tokenOf(element: XmlElement | undefined): string | undefined {
  return element?.text.replace(/[ \t\r\n]+/g, ' ').trim();
}
