// cspell:words JAMO Noncharacter PVALID
import { toUnicodeName } from '../../../../../domain/shared/idna';

/** Two letters are a country's TLD; other TLDs have a contract with ICANN. */
const COUNTRY_TLD = /\.[a-z]{2}$/;
/** RFC 5891, section 4.2.3.1: reserved, unless the label is an A-label. */
const RESERVED_HYPHENS = /^(?!xn--)..--/;

/** RFC 5892, section 2.6. */
const EXCEPTIONALLY_VALID = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/;
const EXCEPTIONALLY_DISALLOWED = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]$/;
/** RFC 5892, sections 2.1, 2.3, 2.4, 2.8 and 2.9. */
const LETTER_OR_DIGIT = /^[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]$/u;
const IGNORABLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Noncharacter_Code_Point}]$/u;
const IGNORABLE_BLOCK = /^[\u20d0-\u20ff\u{1d100}-\u{1d24f}]$/u;
const OLD_HANGUL_JAMO = /^[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]$/;

/** RFC 5892, appendix A. Joiners (A.1, A.2) are checked by UTS #46. */
const CONTEXT_RULES: readonly (readonly [character: RegExp, isAllowed: (label: string) => boolean])[] = [
  [/\u00b7/, (label) => !/(?<!l)\u00b7|\u00b7(?!l)/.test(label)],
  [/\u0375/, (label) => !/\u0375(?!\p{Script=Greek})/u.test(label)],
  [/[\u05f3\u05f4]/, (label) => !/(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u.test(label)],
  [/\u30fb/, (label) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label)],
  [/[\u0660-\u0669]/, (label) => !/[\u06f0-\u06f9]/.test(label)],
  [/[\u06f0-\u06f9]/, (label) => !/[\u0660-\u0669]/.test(label)],
];
const JOINERS = /^[\u200c\u200d]$/;

/** Whether a registry of a generic TLD registers the name: IDNA 2008 (RFC 5891, RFC 5892), as ICANN requires. Other TLDs have rules of their own. */
export function isValidAtGtld(name: string): boolean {
  if (COUNTRY_TLD.test(name)) return true;
  const [label = ''] = name.split('.');
  if (RESERVED_HYPHENS.test(label)) return false;
  const unicode = toUnicodeName(label) ?? label;
  return (
    Array.from(unicode).every((character) => isProtocolValid(character) || hasContextRule(character)) &&
    CONTEXT_RULES.every(([character, isAllowed]) => !character.test(unicode) || isAllowed(unicode))
  );
}

function hasContextRule(character: string): boolean {
  return JOINERS.test(character) || CONTEXT_RULES.some(([pattern]) => pattern.test(character));
}

/** The derived property PVALID: RFC 5892, section 3. */
function isProtocolValid(character: string): boolean {
  if (/^[a-z0-9-]$/.test(character) || EXCEPTIONALLY_VALID.test(character)) return true;
  return (
    !EXCEPTIONALLY_DISALLOWED.test(character) &&
    character.normalize('NFKC').toLowerCase().normalize('NFKC') === character &&
    LETTER_OR_DIGIT.test(character) &&
    !IGNORABLE.test(character) &&
    !IGNORABLE_BLOCK.test(character) &&
    !OLD_HANGUL_JAMO.test(character)
  );
}
