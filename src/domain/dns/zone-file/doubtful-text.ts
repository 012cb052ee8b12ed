import type { Token } from './zone-file-entries';

interface OctalMeaning {
  /** What `\\DDD` is in decimal. */
  readonly read: string;
  readonly advice: string;
}

/**
 * Some DNS hosts write `\\052` for `*`. A decimal escape of a letter or a digit is never needed, so an escape that is one and has
 * octal digits only was probably meant to be octal.
 */
export function octalMeaning(escape: string): OctalMeaning | undefined {
  if (!/^\\[01][0-7]{2}$/.test(escape)) return undefined;
  const read = String.fromCharCode(Number(escape.slice(1)));
  const meant = String.fromCharCode(Number.parseInt(escape.slice(1), 8));
  if (!/^[a-z0-9]$/i.test(read) || !/^[ -~]$/.test(meant)) return undefined;
  return { read, advice: `write ${read}, or ${meant} if it was octal` };
}

/** Why TXT data is probably not read as it was meant. */
export function txtWarnings(words: readonly Token[], hasComment: boolean): readonly string[] {
  const isBare = words.some(({ quoted }) => !quoted);
  const octal = [...new Set(words.flatMap(({ text }) => text.match(/\\(?:\d{3}|\D)/g) ?? []))].find(octalMeaning);
  return [
    ...(isBare && words.length > 1
      ? [`the text is not quoted, so its ${words.length} words are joined without spaces: write it in double quotes`]
      : []),
    ...(isBare && hasComment
      ? ['the text is not quoted, so it ends at the ";", which begins a comment: write it in double quotes']
      : []),
    ...(octal === undefined
      ? []
      : [
          `${octal} is the character ${octalMeaning(octal)?.read}, because escapes are decimal: ${octalMeaning(octal)?.advice}`,
        ]),
  ];
}
