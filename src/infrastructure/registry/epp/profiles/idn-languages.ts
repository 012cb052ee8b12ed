import { domainToUnicode } from 'node:url';
import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { CommandFacts, ProfileOptions } from './profile';

const OPTION = 'idn_languages';
const SCRIPT = /^[A-Z][a-z]+(?:_[A-Z][a-z]+)*$/;

/**
 * What the operator's `options.idn_languages` names for the script of an internationalized name: a language or a table,
 * by the Unicode script of its first letter that is not ASCII. Undefined for an ASCII name.
 * @throws RegistryRejected (`policy`) for a script without one
 */
export function idnLanguageOf({ name, options }: CommandFacts): string | undefined {
  const label = name?.split('.')[0];
  if (label?.startsWith('xn--') !== true) return undefined;
  const letter = /[^\p{ASCII}]/u.exec(domainToUnicode(label))?.[0] ?? '';
  const found = Object.entries(languagesIn(options)).find(([script]) => isOfScript(letter, script));
  if (!found)
    throw new RegistryRejected(
      'policy',
      `This registry needs the language of ${name}: none is configured for its script (${OPTION})`,
    );
  return found[1];
}

/** Issues of `options.idn_languages`. `accepts` tests a language or table. */
export function idnLanguageIssues(options: ProfileOptions, accepts: RegExp): { path: string; message: string }[] {
  const written = options[OPTION];
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    return [{ path: OPTION, message: 'must be a map from Unicode scripts, like Latin or Cyrillic' }];
  return Object.entries(written).flatMap(([script, language]: [string, unknown]) => [
    ...(SCRIPT.test(script) && isScript(script)
      ? []
      : [{ path: `${OPTION}.${script}`, message: 'must be a Unicode script, like Latin or Cyrillic' }]),
    ...(typeof language === 'string' && accepts.test(language)
      ? []
      : [{ path: `${OPTION}.${script}`, message: 'must be a language or table of the registry' }]),
  ]);
}

function languagesIn(options: ProfileOptions): Readonly<Record<string, string>> {
  return (options[OPTION] ?? {}) as Readonly<Record<string, string>>;
}

function isOfScript(letter: string, script: string): boolean {
  return new RegExp(`^\\p{Script=${script}}$`, 'u').test(letter);
}

function isScript(script: string): boolean {
  try {
    return !isOfScript('', script);
  } catch {
    return false;
  }
}
