import type { ContentForm } from './content-form';
import { ROOT } from './record-name';
import { MAX_NAME_LENGTH, typedName } from './typed-name';

/** RFC 952 and RFC 1123, section 2.1: letters, digits and hyphens, no hyphen at either end. */
const HOST_LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const ALIAS_LABEL = /^[a-z0-9_-]{1,63}$/;
const DIGITS = /^\d+$/;

/** The root as a target: "there is no such service" (RFC 7505, RFC 2782). */
export const NO_TARGET = '.';

/** A name server, RFC 1035, section 3.3.11; the names of hosts are stricter than other names (RFC 2181, section 11). */
export const nameserverName: ContentForm = {
  ...written(),
  canonicalize: (content, { zoneName }) => targetName(content, zoneName, isHostName),
};

/** A mail exchanger, RFC 1035, section 3.3.9, or none at all, RFC 7505, section 3. */
export const mailExchanger: ContentForm = {
  ...written(),
  canonicalize: (content, { zoneName, priority }) => {
    if (content === NO_TARGET) return priority === 0 ? NO_TARGET : undefined;
    return targetName(content, zoneName, isHostName);
  },
};

/** The host of a service, RFC 2782; `.` says that the service is not available. */
export const serviceTarget: ContentForm = {
  ...written(),
  canonicalize: (content, { zoneName }) =>
    content === NO_TARGET ? NO_TARGET : targetName(content, zoneName, isHostName),
};

/** Any name but the alias itself, RFC 1034, section 3.6.2. */
export const canonicalName: ContentForm = {
  ...written(),
  canonicalize: (content, { zoneName, ownerName }) => {
    const name = targetName(content, zoneName, isAliasTarget);
    return name === ownerName ? undefined : name;
  },
};

/**
 * Targets are absolute with or without their dot, and kept without. A single label needs the dot, since without it
 * it is nearly always meant relative; so it keeps the dot, or it would not be accepted as answered.
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

function isHostName(labels: readonly string[]): boolean {
  return labels.every((label) => HOST_LABEL.test(label));
}

function isAliasTarget(labels: readonly string[]): boolean {
  return labels.every((label, index) => ALIAS_LABEL.test(label) || (index === 0 && label === '*'));
}

function written(): Pick<ContentForm, 'presentation' | 'wireLength'> {
  return {
    presentation: absolute,
    wireLength: (canonical) => (canonical === NO_TARGET ? 1 : absolute(canonical).length + 1),
  };
}

function absolute(canonical: string): string {
  return canonical.endsWith('.') ? canonical : `${canonical}.`;
}
