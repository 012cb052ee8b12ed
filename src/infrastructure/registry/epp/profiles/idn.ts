import { domainToUnicode } from 'node:url';
import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import { idnLanguagesOf, type IdnLanguages } from '../../../../domain/registration/names/tld-policy';
import { elementFactory } from '../codec/xml-element';
import { withExtension, type CommandFacts, type ProfileOptions, type RegistryProfile } from './profile';

const OPTION = 'idn_languages';
const SCRIPT = /^[A-Z][a-z]+(?:_[A-Z][a-z]+)*$/;
const IDN = 'urn:ietf:params:xml:ns:idn-1.0';
const TABLE = /^[\w-]{2,20}$/;
const idn = elementFactory(IDN);

/**
 * The language or table of an internationalized name: what the account chose, otherwise the first that the operator's
 * `options.idn_languages` names for the Unicode script of its first letter that is not ASCII. Undefined for an ASCII name.
 * @throws RegistryRejected (`policy`) for a script without one, and for one that the registry cannot have
 */
export function idnLanguageOf({ name, idnLanguage, options }: CommandFacts, accepts: RegExp): string | undefined {
  if (name?.startsWith('xn--') !== true) return undefined;
  const language = idnLanguage ?? idnLanguagesOf({ value: name }, { idnLanguages: idnLanguagesIn(options) ?? {} })?.[0];
  if (language === undefined)
    throw new RegistryRejected(
      'policy',
      `This registry needs the language of ${name}: none is configured for its script (${OPTION})`,
    );
  if (!accepts.test(language))
    throw new RegistryRejected('policy', `This registry has no language ${language} for ${name}`);
  return language;
}

/** `options.idn_languages`; undefined if the profile has no such option. */
export function idnLanguagesIn({ [OPTION]: written }: ProfileOptions): IdnLanguages | undefined {
  if (typeof written !== 'object' || written === null) return undefined;
  return Object.fromEntries(Object.entries(written).map(([script, languages]) => [script, [languages].flat()]));
}

/** Issues of `options.idn_languages`: one or several languages or tables by script. `accepts` tests each. */
export function idnLanguageIssues(options: ProfileOptions, accepts: RegExp): { path: string; message: string }[] {
  const written = options[OPTION];
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    return [{ path: OPTION, message: 'must be a map from Unicode scripts, like Latin or Cyrillic' }];
  return Object.entries(written).flatMap(([script, languages]: [string, unknown]) => [
    ...(SCRIPT.test(script) && isScript(script)
      ? []
      : [{ path: `${OPTION}.${script}`, message: 'must be a Unicode script, like Latin or Cyrillic' }]),
    ...(areLanguages([languages].flat(), accepts)
      ? []
      : [{ path: `${OPTION}.${script}`, message: 'must be a language or table of the registry, or a list of them' }]),
  ]);
}

function areLanguages(written: readonly unknown[], accepts: RegExp): boolean {
  return (
    written.length > 0 &&
    new Set(written).size === written.length &&
    written.every((language) => typeof language === 'string' && accepts.test(language))
  );
}

function isScript(script: string): boolean {
  try {
    return new RegExp(`\\p{Script=${script}}`, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * draft-ietf-eppext-idnmap-02: the create of an internationalized name has its table and its Unicode form. The table is that of
 * the account, or of `options.idn_languages` for the script of the name.
 */
export const idnTable = {
  extensions: [IDN],
  options: { [OPTION]: {} },
  complete: (frame, facts) => {
    const table =
      facts.title === 'domain:create' && facts.services.includes(IDN) ? idnLanguageOf(facts, TABLE) : undefined;
    if (table === undefined) return frame;
    const data = idn('data', [idn('table', table), idn('uname', domainToUnicode(facts.name ?? ''))]);
    return withExtension(frame, data);
  },
  validate: (options) => idnLanguageIssues(options, TABLE),
} satisfies Partial<RegistryProfile>;
