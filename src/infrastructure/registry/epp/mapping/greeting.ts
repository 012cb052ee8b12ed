import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf, type XmlElement } from '../codec/xml-element';
import { feeDraftAmong } from './fee-drafts';
import { instantOf } from './data-types';
import { ProtocolError } from './protocol-error';

const EPP = NAMESPACES.epp;

/** Supported services, in the order of the login. */
const OBJECTS: readonly string[] = [NAMESPACES.domain, NAMESPACES.host, NAMESPACES.contact];
const EXTENSIONS: readonly string[] = [NAMESPACES.rgp, NAMESPACES.secDNS, NAMESPACES.fee, NAMESPACES.loginSec];

/** The services of the greeting that we support. */
export interface Services {
  readonly objects: readonly string[];
  readonly extensions: readonly string[];
  readonly language: string;
  /** The namespace of the fee extension at this registry, if it is a draft of RFC 8748; `extensions` names the RFC's. */
  readonly feeDraft?: string | undefined;
}

/** Namespaces of a registry's own. */
export interface FurtherServices {
  readonly objects: readonly string[];
  readonly extensions: readonly string[];
}

const NO_FURTHER: FurtherServices = { objects: [], extensions: [] };

/** @throws ProtocolError unless it is an EPP 1.0 greeting */
export function servicesOf(root: XmlElement, further: FurtherServices = NO_FURTHER): Services {
  const menu = childOf(
    root.name === 'epp' && root.namespace === EPP ? childOf(root, EPP, 'greeting') : undefined,
    EPP,
    'svcMenu',
  );
  if (!menu || !textsOf(menu, 'version').includes('1.0')) throw new ProtocolError('not an EPP 1.0 greeting');
  const objects = textsOf(menu, 'objURI');
  const offered = textsOf(childOf(menu, EPP, 'svcExtension'), 'extURI');
  const languages = textsOf(menu, 'lang');
  const feeDraft = feeDraftAmong(offered);
  const extensions = feeDraft === undefined ? offered : [...offered, NAMESPACES.fee];
  return {
    objects: [...OBJECTS, ...further.objects].filter((uri) => objects.includes(uri)),
    extensions: [...EXTENSIONS, ...further.extensions].filter((uri) => extensions.includes(uri)),
    language: languages.find((language) => /^en\b/i.test(language)) ?? languages[0] ?? 'en',
    ...(feeDraft !== undefined && { feeDraft }),
  };
}

/** The server's name and its time, if they can be read. */
export function serverOf(root: XmlElement): { readonly id: string | undefined; readonly time: Date | undefined } {
  const greeting = childOf(root, EPP, 'greeting');
  const id = tokenOf(childOf(greeting, EPP, 'svID'));
  try {
    return { id, time: instantOf(tokenOf(childOf(greeting, EPP, 'svDate'))) };
  } catch {
    return { id, time: undefined };
  }
}

function textsOf(parent: XmlElement | undefined, name: string): readonly string[] {
  return childrenOf(parent, EPP, name).flatMap((element) => tokenOf(element) ?? []);
}

export function offersNamespace({ objects, extensions }: Services, namespace: string): boolean {
  return objects.includes(namespace) || extensions.includes(namespace);
}
