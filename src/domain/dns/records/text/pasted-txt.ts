import { zoneFileEntries, type Entry, type Token } from '../../zone-file/zone-file-entries';
import { typedName } from '../record-name';

/** Longer content is no paste of one record. */
const MAX_LENGTH = 40_000;
/** What zone files have and texts for programs do not begin with. */
const LOOKS_LIKE_LINE =
  /^\s*(?:\(\s*"|(?:\S+\s+)?(?:\d+[smhdw]?\s+)?(?:IN\s+)?(?:\d+[smhdw]?\s+)?TXT\s+["(])|^"[^]*"\s*;/i;

/**
 * The quoted strings of content that was pasted from a zone file: `@ IN TXT "v=spf1 -all"`, `( "v=DKIM1; " "p=…" ) ; comment`.
 * Undefined for other content, and for a line that has another owner name.
 */
export function pastedStrings(content: string, ownerName: string, zoneName: string): string | undefined {
  if (content.length > MAX_LENGTH || !LOOKS_LIKE_LINE.test(content)) return undefined;
  const [entry, ...others] = [...zoneFileEntries(content.trim())].filter((each) => each !== undefined);
  if (!entry || 'message' in entry || others.length > 0) return undefined;
  const data = textOf(entry, ownerName, zoneName);
  return data?.every(({ quoted }) => quoted) === true && data.length > 0
    ? data.map(({ text }) => `"${text.replaceAll('\t', '\\009')}"`).join(' ')
    : undefined;
}

/** The words of the text: all, or those after the type if that is not quoted. */
function textOf({ tokens }: Entry, ownerName: string, zoneName: string): readonly Token[] | undefined {
  const type = tokens.findIndex(({ text, quoted }) => !quoted && text.toUpperCase() === 'TXT');
  if (type === -1) return tokens;
  const head = tokens.slice(0, type).filter(({ text }) => !/^(?:IN|\d+[smhdw]?)$/i.test(text));
  const [owner, ...others] = head;
  const isSame = owner === undefined || (others.length === 0 && isOwner(owner.text, ownerName, zoneName));
  return isSame ? tokens.slice(type + 1) : undefined;
}

function isOwner(text: string, ownerName: string, zoneName: string): boolean {
  if (text === '@') return ownerName === zoneName;
  const name = typedName(text)?.name;
  return name === ownerName || `${name}.${zoneName}` === ownerName;
}

/** An owner name, a TTL, a class and a type. */
const MAX_HEAD_LENGTH = 300;
const CURLY_QUOTE = /[\u2018\u2019\u201c-\u201f]/;

/** Why a text was probably pasted with something that is not part of it. @param text as programs read it */
export function pasteWarnings(text: string): readonly string[] {
  return [
    ...(/^\(|^(?:\S+\s+)?(?:\d+\s+)?(?:IN\s+)?TXT\s|^\S+\s+(?:\d+\s+)?IN\s/.test(text.slice(0, MAX_HEAD_LENGTH))
      ? ['looks like a line of a zone file; write only the text after TXT']
      : []),
    ...(hasStrayQuote(text) ? ['has a double quote that is part of the text; programs that read it expect none'] : []),
    ...(CURLY_QUOTE.test(text) ? ['has typographic quotation marks, which are part of the text'] : []),
    ...(text.includes('\\;') ? ['has \\; in the text; write ; without a backslash'] : []),
    ...(/^'.*'$/s.test(text) ? ['is in single quotes, which are part of the text'] : []),
  ];
}

/** One without its partner, or a pair around the whole text. Pairs within a text can be meant. */
function hasStrayQuote(text: string): boolean {
  return text.split('"').length % 2 === 0 || /^".*"$/s.test(text);
}
