import { domainToUnicode } from 'node:url';
import { elementFactory } from '../codec/xml-element';
import { idnLanguageIssues, idnLanguageOf } from './idn-languages';
import { type RegistryProfile, withExtension } from './profile';

const IDN = 'urn:ietf:params:xml:ns:idn-1.0';
const idn = elementFactory(IDN);

/**
 * draft-ietf-eppext-idnmap-02: the create of an internationalized name has its table and its Unicode form. The table is that of
 * `options.idn_languages` for the script of the name.
 */
export const idnTable = {
  extensions: [IDN],
  options: { idn_languages: {} },
  complete: (frame, facts) => {
    const table = facts.title === 'domain:create' && facts.services.includes(IDN) ? idnLanguageOf(facts) : undefined;
    if (table === undefined) return frame;
    const data = idn('data', [idn('table', table), idn('uname', domainToUnicode(facts.name ?? ''))]);
    return withExtension(frame, data);
  },
  validate: (options) => idnLanguageIssues(options, /^[\w-]{2,20}$/),
} satisfies Partial<RegistryProfile>;
