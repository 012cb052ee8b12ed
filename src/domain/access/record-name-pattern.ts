import { ValidationError } from '../shared/validation-error';

const MAX_PATTERN = 253;
const PATTERN = /^(?:@|(?:\*\*|\*|\\\*|[a-z0-9_+-]{1,63})(?:\.(?:\*\*|\*|[a-z0-9_+-]{1,63}))*)$/;

/** Validates a pattern of owner names and returns it in lower case. @throws ValidationError */
export function parseNamePattern(text: string): string {
  const pattern = text.toLowerCase();
  if (pattern.length > MAX_PATTERN || !PATTERN.test(pattern))
    throw ValidationError.of(
      'limits.names',
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

/** Whether every name that `inner` matches is matched by `outer`, too. False for some patterns that mean the same in other words. */
export function coversName(outer: string, inner: string): boolean {
  return matchesLabels(
    outer.split('.'),
    inner.split('.'),
    (label, pattern) => isPlain(label) && (label !== '**' || pattern === '**'),
  );
}

function matchesLabels(
  [first, ...rest]: readonly string[],
  labels: readonly string[],
  mayStandFor: (label: string, pattern: string) => boolean,
): boolean {
  const [label, ...others] = labels;
  if (first === undefined || label === undefined) return first === undefined && label === undefined;
  if (first !== '*' && first !== '**') return first === label && matchesLabels(rest, others, mayStandFor);
  if (!mayStandFor(label, first)) return false;
  return (
    matchesLabels(rest, others, mayStandFor) || (first === '**' && matchesLabels([first, ...rest], others, mayStandFor))
  );
}

function isPlain(label: string): boolean {
  return label !== '\\*' && label !== '@';
}
