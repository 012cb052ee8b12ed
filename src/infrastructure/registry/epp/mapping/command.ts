import { NAMESPACES } from '../codec/namespaces';
import { writeXml } from '../codec/write-xml';
import { vocabulary, type XmlElement } from '../codec/xml-element';

export const epp = vocabulary(NAMESPACES.epp);

/** A command but for its clTRID. */
export interface EppCommand {
  /** For logs: `domain:create`, `poll:req`. */
  readonly title: string;
  /** Whether it changes anything at the registry: sent once only, whatever becomes of the answer. */
  readonly transforms: boolean;
  /** Result codes that say no and are nothing to worry about: that something is there already, or is not. */
  readonly expected: readonly number[];
  /** The verb's element: `<check>`, `<login>` … */
  readonly body: XmlElement;
  readonly extensions: readonly XmlElement[];
}

interface Beside {
  readonly extensions?: readonly (XmlElement | undefined)[];
  readonly expected?: readonly number[];
}

export function query(title: string, body: XmlElement, { extensions = [], expected = [] }: Beside = {}): EppCommand {
  return {
    title,
    transforms: false,
    expected,
    body,
    extensions: extensions.filter((extension) => extension !== undefined),
  };
}

export function transform(title: string, body: XmlElement, beside?: Beside): EppCommand {
  return { ...query(title, body, beside), transforms: true };
}

/** The document to send. */
export function commandDocument({ body, extensions }: EppCommand, clTRID: string): string {
  return writeXml(
    epp(
      'epp',
      epp('command', [body, extensions.length > 0 ? epp('extension', extensions) : undefined, epp('clTRID', clTRID)]),
    ),
  );
}

export function helloDocument(): string {
  return writeXml(epp('epp', epp('hello')));
}
