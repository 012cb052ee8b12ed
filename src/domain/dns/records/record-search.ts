import { foldText } from '../../shared/text/fold-text';
import { foldNamePart, toUnicodeName } from '../../shared/idna';
import type { DnsRecordState } from './dns-record';

type Searched = Pick<DnsRecordState, 'name' | 'content' | 'comment' | 'managedBy'>;

/** Whether a record has this part in its name or content, in ASCII or Unicode form, or in its comment or what manages it. */
export function recordMatcher(part: string): (record: Searched) => boolean {
  const [inText, inName] = [foldText(part), foldNamePart(part)];
  return ({ name, content, comment, managedBy }) =>
    [content, comment, managedBy].some((text) => text && foldText(text).includes(inText)) ||
    [name, content].some((text) => nameForms(text).some((form) => form.includes(inName)));
}

/** Whether a comment has this part, in any case. */
export function commentMatcher(part: string): (record: Pick<DnsRecordState, 'comment'>) => boolean {
  const inText = foldText(part);
  return ({ comment }) => typeof comment === 'string' && foldText(comment).includes(inText);
}

function nameForms(text: string): readonly string[] {
  const ascii = text.toLowerCase();
  return ascii.includes('xn--') ? [ascii, toUnicodeName(ascii) ?? ''] : [ascii];
}
