import { ValidationError } from '../shared/validation-error';

const MAX_PATTERN = 253;
const PATTERN = /^(?:@|(?:\*\*|\*|\\\*|[a-z0-9_+/-]{1,63})(?:\.(?:\*\*|\*|[a-z0-9_+/-]{1,63}))*)$/;

/** Validates a pattern of owner names and returns it in lower case. @throws ValidationError */
export function parseNamePattern(text: string, field = 'limits.names'): string {
  const pattern = text.toLowerCase();
  if (pattern.length > MAX_PATTERN || !PATTERN.test(pattern))
    throw ValidationError.of(
      field,
      'must be names relative to the domain, such as _acme-challenge, @, *.lan (one label) or **.lan (one or more)',
    );
  return pattern;
}

/** Whether an owner name, relative to its domain, matches a pattern. No pattern but `\*` matches a wildcard record. */
export function matchesName(pattern: string, name: string): boolean {
  const labels = name.split('.');
  if (labels[0] === '*') labels[0] = '\\*';
  return matchesLabels(pattern.split('.'), labels, isPlain);
}

/** Whether `outer` matches every name that `inner` matches. False for some patterns that are equivalent but written differently. */
export function coversName(outer: string, inner: string): boolean {
  return matchesLabels(
    outer.split('.'),
    inner.split('.'),
    (label, pattern) => isPlain(label) && (label !== '**' || pattern === '**'),
  );
}

/** Returns only to the last `**`, so that no pattern takes more steps than its labels times those of the name. */
function matchesLabels(
  pattern: readonly string[],
  labels: readonly string[],
  mayStandFor: (label: string, pattern: string) => boolean,
): boolean {
  let at = 0;
  /** The last `**`, and the label after the last one that it stands for. */
  let retry: { readonly at: number; readonly next: number } | undefined;
  for (let index = 0; index < labels.length || at < pattern.length;) {
    const [label, part] = [labels[index], pattern[at]];
    const isMatch =
      label !== undefined && part !== undefined && (part.startsWith('*') ? mayStandFor(label, part) : part === label);
    if (isMatch) {
      at += 1;
      index += 1;
      if (part === '**') retry = { at, next: index };
      continue;
    }
    const longer = retry && labels[retry.next];
    if (!retry || longer === undefined || !mayStandFor(longer, '**')) return false;
    retry = { at: retry.at, next: retry.next + 1 };
    at = retry.at;
    index = retry.next;
  }
  return true;
}

function isPlain(label: string): boolean {
  return label !== '\\*' && label !== '@';
}
