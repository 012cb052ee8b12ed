import { isIP } from 'node:net';
import type { ContentContext, ContentForm } from './text/content-form';
import { isClasslessLabel } from '../zone-names/reverse-tree';
import { ROOT, MAX_NAME_LENGTH, typedName } from './record-name';
import { writeName } from './types/rdata/wire-name';

/** RFC 952 and RFC 1123, section 2.1: letters, digits and hyphens, no hyphen at either end. */
const HOST_LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const ALIAS_LABEL = /^[a-z0-9_-]{1,63}$/;
const MAX_SHOWN = 80;
const DIGITS = /^\d+$/;

/** The DNS root as a target: the service is not available (RFC 7505, RFC 2782). */
export const NO_TARGET = '.';

/** Formats shared by all targets that are names. */
const NAME_FORMAT: Pick<ContentForm, 'presentation' | 'problem'> = {
  presentation: toAbsolute,
  problem: (content, context) => targetProblem(content, context, HOST_LABEL),
};

/** NS target, RFC 1035, section 3.3.11. Host names are stricter than other names (RFC 2181, section 11). */
export const nameserverName: ContentForm = {
  ...NAME_FORMAT,
  canonicalize: (content, { zoneName }) => targetName(content, zoneName, isHostName),
};

/** MX target, RFC 1035, section 3.3.9, or a null MX, RFC 7505, section 3. */
export const mailExchanger: ContentForm = {
  ...NAME_FORMAT,
  canonicalize: (content, { zoneName, priority }) => {
    if (content === NO_TARGET) return priority === 0 ? NO_TARGET : undefined;
    return targetName(content, zoneName, isHostName);
  },
};

/** SRV target, RFC 2782; `.` means that the service is not available. */
export const serviceTarget: ContentForm = {
  ...NAME_FORMAT,
  canonicalize: (content, { zoneName }) =>
    content === NO_TARGET ? NO_TARGET : targetName(content, zoneName, isHostName),
};

/** CNAME target, RFC 1034, section 3.6.2: any name except the owner. */
export const canonicalName: ContentForm = {
  ...NAME_FORMAT,
  problem: (content, context) => targetProblem(content, context, ALIAS_LABEL),
  canonicalize: (content, { zoneName, ownerName }) => {
    const name = targetName(content, zoneName, isAliasTarget);
    return name === ownerName ? undefined : name;
  },
};

/**
 * Targets are absolute with or without trailing dot and stored without. A single label needs the dot, because without it the
 * user nearly always means a relative name; it is stored with the dot, so that the stored form is valid input.
 */
function targetName(
  content: string,
  zoneName: string,
  accepts: (labels: readonly string[]) => boolean,
): string | undefined {
  if (content === ROOT) return zoneName;
  const typed = typedName(content);
  if (typed === undefined || typed.name.length > MAX_NAME_LENGTH) return undefined;
  const labels = typed.name.split('.');
  if (!accepts(labels) || DIGITS.test(labels.at(-1) ?? '')) return undefined;
  if (labels.length > 1) return typed.name;
  return typed.absolute ? `${typed.name}.` : undefined;
}

/** The mistakes that are common enough to be told apart. */
function targetProblem(
  content: string,
  { zoneName, ownerName, priority }: ContentContext,
  validLabel: RegExp,
): string | undefined {
  if (content === NO_TARGET) return priority === null ? undefined : 'the target . needs the priority 0';
  const shown = `"${content.length > MAX_SHOWN ? `${content.slice(0, MAX_SHOWN)}…` : content}"`;
  if (isIP(content.replace(/\.$/, '')) !== 0)
    return `${shown} is an IP address, but a name is expected; add an A or AAAA record instead`;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(content))
    return `${shown} is a URL, but a name is expected, such as www.example.com`;
  if (/\s/.test(content)) return `${shown} has white space; one name is expected, and numbers are separate fields`;
  const typed = typedName(content);
  if (typed === undefined) return undefined;
  if (typed.name === ownerName) return `${shown} is the name of the record itself`;
  if (typed.name !== '' && !typed.name.includes('.') && !typed.absolute)
    return `${shown} is a single label; write the full name, such as ${typed.name}.${zoneName}`;
  const label = typed.name.split('.').find((each) => !validLabel.test(each));
  if (label === undefined || label === '' || label.length > MAX_SHOWN) return undefined;
  return label.includes('_')
    ? `the label "${label}" of ${shown} has an underscore, which host names cannot have`
    : `the label "${label}" of ${shown} is not valid in a name`;
}

function isHostName(labels: readonly string[]): boolean {
  return labels.every((label) => HOST_LABEL.test(label));
}

function isAliasTarget(labels: readonly string[]): boolean {
  const name = labels.join('.');
  return labels.every(
    (label, index) => ALIAS_LABEL.test(label) || (index === 0 && label === '*') || isClasslessLabel(label, name),
  );
}

/** A stored target in wire format. */
export function wireTarget(canonical: string): Buffer {
  return writeName(toAbsolute(canonical).slice(0, -1));
}

function toAbsolute(canonical: string): string {
  return canonical.endsWith('.') ? canonical : `${canonical}.`;
}
