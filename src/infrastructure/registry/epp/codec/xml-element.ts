/** An element of a frame as EPP needs it: known by namespace and name, never by prefix. Comments are gone. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** Those without a namespace: the protocol defines no others. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The element's own character data, as it was written. */
  readonly text: string;
}

export type Content = string | XmlElement | undefined | readonly Content[];

/** Builds elements of one namespace; what is undefined, content or attribute, is left out. */
export function vocabulary(
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

/** The children of that namespace and name, in order; none of an element that is not there. */
export function childrenOf(element: XmlElement | undefined, namespace: string, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name && child.namespace === namespace) ?? [];
}

export function childOf(element: XmlElement | undefined, namespace: string, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name && child.namespace === namespace);
}

/** What an `xs:token` means: white space collapsed. Undefined where the element is not there. */
export function tokenOf(element: XmlElement | undefined): string | undefined {
  return element?.text.replace(/[ \t\r\n]+/g, ' ').trim();
}
