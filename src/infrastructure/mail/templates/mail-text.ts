import type { MailContent, MailPart } from './mail-content';

const WIDTH = 72;

/** As plain text, in lines of at most 72 characters; longer words, such as links, have their own line. */
export function mailText({ parts }: MailContent, footer: readonly string[]): string {
  return `${[...parts.map(textOf), ['-- ', ...footer.map(wrapped)].join('\n')].join('\n\n')}\n`;
}

function textOf(part: MailPart): string {
  if (typeof part === 'string') return wrapped(part);
  if ('link' in part) return `${part.link.label}:\n${part.link.url}`;
  return part.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
}

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
