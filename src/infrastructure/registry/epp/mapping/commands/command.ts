import type { Registrant } from '../../../../../domain/registration/registrant';
import { NAMESPACES } from '../../codec/namespaces';
import { writeXml } from '../../codec/write-xml';
import { elementFactory, type XmlElement } from '../../codec/xml-element';

export const epp = elementFactory(NAMESPACES.epp);

/** A command without its clTRID. */
export interface EppCommand {
  /** For logs: `domain:create`, `poll:req`. */
  readonly title: string;
  /** Whether it is a transform command (RFC 5730 section 2.9.3), which is never sent twice. */
  readonly transforms: boolean;
  /** Failure codes that are not logged as warnings, like "object exists". */
  readonly expected: readonly number[];
  /** The command's element: `<check>`, `<login>` … */
  readonly body: XmlElement;
  readonly extensions: readonly XmlElement[];
  /** The TLD that a command on hosts or contacts is for. Commands on domains name it themselves. */
  readonly tld?: string | undefined;
  /** The data of a new contact. */
  readonly registrant?: Registrant;
  /** The contacts of a new domain or of a transfer. */
  readonly contacts?: CommandContacts;
  /** The language or table of a new internationalized name, if the account chose one. */
  readonly idnLanguage?: string | undefined;
  /** When the domain of a command expires. */
  readonly expiresAt?: Date | undefined;
}

/** Ids of contacts that a command is about. */
export interface CommandContacts {
  readonly registrant?: string | undefined;
  readonly byType: Readonly<Record<string, string>>;
}

interface CommandOptions {
  readonly extensions?: readonly (XmlElement | undefined)[];
  readonly expected?: readonly number[];
}

export function query(
  title: string,
  body: XmlElement,
  { extensions = [], expected = [] }: CommandOptions = {},
): EppCommand {
  return {
    title,
    transforms: false,
    expected,
    body,
    extensions: extensions.filter((extension) => extension !== undefined),
  };
}

export function transform(title: string, body: XmlElement, options?: CommandOptions): EppCommand {
  return { ...query(title, body, options), transforms: true };
}

/** The command with the TLD of the domain for which it is sent. */
export function forTld(command: EppCommand, tld: string): EppCommand {
  return { ...command, tld };
}

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
