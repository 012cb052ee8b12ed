import type { DnsRecord } from './dns-record';
import { ROOT } from './record-name';
import { textOf } from './text/character-string';
import { pasteWarnings } from './text/pasted-txt';
import { joinTxt } from './text/txt-content';
import type { RecordType } from './types/record-types';

/** The target of these types must have an address and must not be an alias (RFC 2181, section 10.3; RFC 2782). */
export const NEED_HOST: readonly RecordType[] = ['MX', 'NS', 'SRV'];
/** Their content is a name. */
const HAVE_TARGET: readonly RecordType[] = ['CNAME', 'ALIAS', 'DNAME', 'PTR', ...NEED_HOST];

/** As the last label of a relative name, these are nearly always another domain that was typed in full. */
const COMMON_TLDS: readonly string[] = ['com', 'net', 'org', 'info', 'biz', 'edu', 'gov'];

/** Likely mistakes in one record, whatever its zone has, one sentence each. */
export function recordWarnings(record: DnsRecord, zoneName: string): readonly string[] {
  const { type, name, content } = record.toState();
  return [
    ...(repeatsZone(type, content, zoneName)
      ? [`${type} at ${name} points to ${content}, which repeats ${zoneName}; write the name with a dot at its end`]
      : []),
    ...(namesOtherDomain(name, zoneName)
      ? [
          `${type} at ${name} is published as ${name}.${zoneName}, because names are relative to ${zoneName}; a record of another domain belongs to that domain's zone`,
        ]
      : []),
    ...(type === 'TXT' ? pasteWarnings(readableText(content)).map((warning) => `TXT at ${name} ${warning}`) : []),
  ];
}

function readableText(content: string): string {
  const octets = joinTxt(content);
  return textOf(octets) ?? octets;
}

/** RFC 1035, section 5.1: a name without a dot at its end is relative, so that the zone's name is appended to it. */
function repeatsZone(type: RecordType, content: string, zoneName: string): boolean {
  return HAVE_TARGET.includes(type) && `.${content}`.endsWith(`.${zoneName}.${zoneName}`);
}

/** `www.other.com`: it ends with a common TLD, or with the zone's own suffix below two labels (`www.de` can be meant). */
function namesOtherDomain(name: string, zoneName: string): boolean {
  if (name === ROOT) return false;
  const labels = name.split('.');
  const suffix = zoneName.slice(zoneName.indexOf('.') + 1);
  const isInSuffix = name.endsWith(`.${suffix}`) && labels.length >= suffix.split('.').length + 2;
  return isInSuffix || (labels.length >= 2 && COMMON_TLDS.includes(labels.at(-1) ?? ''));
}
