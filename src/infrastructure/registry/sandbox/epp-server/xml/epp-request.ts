import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, type XmlElement } from '../../../epp/codec/xml-element';
import { EppFailure } from '../epp-failure';

const EPP = NAMESPACES.epp;

const VERBS = ['check', 'create', 'delete', 'info', 'login', 'logout', 'poll', 'renew', 'transfer', 'update'] as const;
export type Verb = (typeof VERBS)[number];

/** A command as it arrived, taken apart as far as it is the same for all objects. */
export interface EppRequest {
  readonly verb: Verb;
  /** The verb's own element: its attributes, and for `login` its content. */
  readonly element: XmlElement;
  /** What the verb is about: `<domain:create>`, `<host:info>`; the element itself where there is no object. */
  readonly body: XmlElement;
  readonly extensions: readonly XmlElement[];
}

/** The client's own id of a command, as far as it can be read off one that makes no sense otherwise. */
export function clientTransactionId(root: XmlElement): string | undefined {
  const id = tokenOf(childOf(childOf(root, EPP, 'command'), EPP, 'clTRID'));
  return id !== undefined && id.length >= 3 && id.length <= 64 ? id : undefined;
}

export function isHello(root: XmlElement): boolean {
  return isEpp(root) && childOf(root, EPP, 'hello') !== undefined;
}

/** @throws EppFailure */
export function requestOf(root: XmlElement): EppRequest {
  const command = isEpp(root) ? childOf(root, EPP, 'command') : undefined;
  if (!command) throw new EppFailure(2001, 'An EPP command is due');
  const [element] = command.children;
  const verb = VERBS.find((candidate) => candidate === element?.name);
  if (!element || element.namespace !== EPP || !verb) throw new EppFailure(2000);
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

/** The text of a child that must be there. @throws EppFailure */
export function required(parent: XmlElement | undefined, namespace: string, name: string): string {
  const text = tokenOf(childOf(parent, namespace, name));
  if (text === undefined || text === '') throw new EppFailure(2003, `${name} is missing`);
  return text;
}

/** The texts of children of which there must be one at least. @throws EppFailure */
export function requiredAll(parent: XmlElement, namespace: string, name: string, max: number): readonly string[] {
  const texts = childrenOf(parent, namespace, name).map((child) => tokenOf(child) ?? '');
  if (texts.length === 0) throw new EppFailure(2003, `${name} is missing`);
  if (texts.length > max) throw new EppFailure(2306, `No more than ${max} at a time`);
  return texts;
}

function isEpp(root: XmlElement): boolean {
  return root.name === 'epp' && root.namespace === EPP;
}
