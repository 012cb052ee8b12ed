import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, type XmlElement } from '../../../epp/codec/xml-element';
import { EppError } from '../epp-error';

const EPP = NAMESPACES.epp;

const VERBS = ['check', 'create', 'delete', 'info', 'login', 'logout', 'poll', 'renew', 'transfer', 'update'] as const;
export type Verb = (typeof VERBS)[number];

/** The parts of a command that all objects have in common. */
export interface EppRequest {
  readonly verb: Verb;
  /** The verb's element: `<create>`, `<login>`. */
  readonly element: XmlElement;
  /** The object's element: `<domain:create>`, `<host:info>`; the verb's element for commands without an object. */
  readonly body: XmlElement;
  readonly extensions: readonly XmlElement[];
}

/** The clTRID, also of an otherwise invalid command. */
export function clientTransactionId(root: XmlElement): string | undefined {
  const id = tokenOf(childOf(childOf(root, EPP, 'command'), EPP, 'clTRID'));
  return id !== undefined && id.length >= 3 && id.length <= 64 ? id : undefined;
}

export function isHello(root: XmlElement): boolean {
  return isEpp(root) && childOf(root, EPP, 'hello') !== undefined;
}

/** @throws EppError */
export function requestOf(root: XmlElement): EppRequest {
  const command = isEpp(root) ? childOf(root, EPP, 'command') : undefined;
  if (!command) throw new EppError(2001, 'An EPP command is due');
  const [element] = command.children;
  const verb = VERBS.find((candidate) => candidate === element?.name);
  if (!element || element.namespace !== EPP || !verb) throw new EppError(2000);
  return {
    verb,
    element,
    body: element.children.find(({ namespace }) => namespace !== EPP) ?? element,
    extensions: childOf(command, EPP, 'extension')?.children ?? [],
  };
}

export function extensionOf({ extensions }: EppRequest, namespace: string): XmlElement | undefined {
  return extensions.find((extension) => extension.namespace === namespace);
}

/** The text of a required child. @throws EppError */
export function required(parent: XmlElement | undefined, namespace: string, name: string): string {
  const text = tokenOf(childOf(parent, namespace, name));
  if (text === undefined || text === '') throw new EppError(2003, `${name} is missing`);
  return text;
}

/** The texts of at least one child. @throws EppError */
export function requiredAll(parent: XmlElement, namespace: string, name: string, max: number): readonly string[] {
  const texts = childrenOf(parent, namespace, name).map((child) => tokenOf(child) ?? '');
  if (texts.length === 0) throw new EppError(2003, `${name} is missing`);
  if (texts.length > max) throw new EppError(2306, `No more than ${max} at a time`);
  return texts;
}

function isEpp(root: XmlElement): boolean {
  return root.name === 'epp' && root.namespace === EPP;
}
