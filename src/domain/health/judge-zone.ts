import type { Finding } from './health-check';
import { failureOf, recordsOf, type Lookup } from './lookup';

const CAA = /^(\d+) "?([a-z0-9]+)"? (.*)$/i;
/** RFC 8659 section 4, RFC 9495, and those of the CA/Browser Forum. */
const CAA_TAGS = ['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone'];
/** A CA that does not know the tag must not issue (RFC 8659 section 4.1). */
const CRITICAL = 128;

/** RFC 8659. Without records, any CA may issue certificates. */
export function judgeCaa(records: Lookup): Finding {
  const failure = failureOf(records);
  if (failure !== undefined)
    return { state: 'unknown', summary: 'The CAA records could not be read.', evidence: [failure] };
  const evidence = recordsOf(records);
  if (evidence.length === 0)
    return {
      state: 'ok',
      summary: 'The domain has no CAA record, so any CA may issue certificates for it.',
      advice: 'A CAA record limits that to the CA that you use.',
    };
  const parsed = evidence.map((text) => {
    const [, flags = '', tag = '', value = ''] = CAA.exec(text) ?? [];
    return { text, flags: Number(flags), tag: tag.toLowerCase(), value: value.replaceAll('"', '').trim() };
  });
  const unknown = parsed.filter(({ tag }) => !CAA_TAGS.includes(tag));
  const critical = unknown.filter(({ flags }) => (flags & CRITICAL) !== 0);
  if (critical.length > 0)
    return {
      state: 'problem',
      summary: 'A critical CAA record has a tag that CAs do not know, so no CA may issue certificates.',
      evidence,
      advice: `Use one of the tags ${CAA_TAGS.slice(0, 3).join(', ')}.`,
      action: 'edit_records',
    };
  if (unknown.length > 0)
    return {
      state: 'warning',
      summary: `CAs ignore CAA records with an unknown tag: ${unknown.map(({ tag }) => tag || '(none)').join(', ')}.`,
      evidence,
      advice: `Use one of the tags ${CAA_TAGS.slice(0, 3).join(', ')}.`,
      action: 'edit_records',
    };
  const issuers = parsed.filter(({ tag }) => tag === 'issue').map(({ value }) => value.split(';')[0]?.trim() ?? '');
  const malformed = issuers.filter((issuer) => issuer !== '' && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(issuer));
  if (malformed.length > 0)
    return {
      state: 'warning',
      summary: `${malformed.join(', ')} is not the domain name of a CA.`,
      evidence,
      advice: 'Write the CA as a domain name, such as letsencrypt.org.',
      action: 'edit_records',
    };
  const allowed = [...new Set(issuers.filter(Boolean))];
  if (issuers.length > 0 && allowed.length === 0)
    return { state: 'ok', summary: 'No CA may issue certificates for the domain.', evidence };
  return {
    state: 'ok',
    summary:
      allowed.length > 0
        ? `Only ${allowed.join(', ')} may issue certificates for the domain.`
        : 'The CAA records do not limit which CA may issue certificates.',
    evidence,
  };
}

/** A CNAME record and what its target is. */
export interface CnameEvidence {
  /** The whole owner name. */
  readonly owner: string;
  readonly target: string;
  readonly lookup: Lookup;
}

export interface CnameTargetsEvidence {
  readonly cnameTargets: readonly CnameEvidence[];
  /** Of those that were not looked up, because there are too many. */
  readonly skipped: number;
  /** Other nameservers serve the zone: only `www` could be checked. */
  readonly isPartial: boolean;
}

/** A target that does not exist can be registered by anyone, who then answers for the owner name. */
export function judgeCnameTargets({ cnameTargets, skipped, isPartial }: CnameTargetsEvidence): Finding {
  if (cnameTargets.length === 0)
    return { state: 'not_applicable', summary: isPartial ? 'www is no CNAME.' : 'The zone has no CNAME records.' };
  const lines = cnameTargets.map(({ owner, target, lookup }) => ({
    owner,
    isDangling: lookup.kind === 'no_name',
    isUnknown: failureOf(lookup) !== undefined,
    text: `${owner} → ${target}: ${textOf(lookup)}`,
  }));
  const dangling = lines.filter(({ isDangling }) => isDangling);
  const unknown = lines.filter(({ isUnknown }) => isUnknown);
  const notes = skipped > 0 ? [`Not looked up: ${skipped} more CNAME records`] : [];
  const evidence = [...dangling, ...unknown, ...lines.filter((line) => !line.isDangling && !line.isUnknown)].map(
    ({ text }) => text,
  );
  if (dangling.length > 0)
    return {
      state: 'problem',
      summary: `CNAME records whose target does not exist: ${dangling.map(({ owner }) => owner).join(', ')}.`,
      evidence: [...notes, ...evidence],
      advice: 'Remove the records: anyone who can register the target controls what the names show.',
      action: 'edit_records',
    };
  if (unknown.length > 0)
    return {
      state: 'unknown',
      summary: 'Not every CNAME target could be looked up.',
      evidence: [...notes, ...evidence],
    };
  return { state: 'ok', summary: 'Every CNAME target exists.', evidence: [...notes, ...evidence] };
}

function textOf(lookup: Lookup): string {
  return failureOf(lookup) ?? (lookup.kind === 'no_name' ? 'does not exist' : 'exists');
}
