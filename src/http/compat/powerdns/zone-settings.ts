import { ValidationError } from '../../../domain/shared/validation-error';
import { membersOf, type Members } from '../request-members';

/** A zone here is a primary, as PowerDNS names it before and since 4.5. */
const KINDS: ReadonlySet<unknown> = new Set(['MASTER', 'PRIMARY', 'NATIVE']);

/** @throws ValidationError for a secondary zone */
export function assertPrimary({ kind }: Members): void {
  if (kind !== undefined && !(typeof kind === 'string' && KINDS.has(kind.toUpperCase())))
    throw ValidationError.of('kind', 'must be Master, Primary or Native: zones are served to secondaries');
}

/**
 * Checks the body of a PUT of a zone. `account`, `soa_edit`, `api_rectify` and others have no meaning here and are ignored.
 * @throws ValidationError for what would have an effect
 */
export function assertUnchanged(body: unknown, isSigned: boolean): void {
  const { dnssec, rrsets, ...members } = membersOf(body, 'The body');
  assertPrimary(members);
  if (dnssec !== undefined && dnssec !== isSigned)
    throw ValidationError.of('dnssec', 'is switched in the dashboard, or by PUT /api/domains/{id}/dnssec');
  if (rrsets !== undefined && !(Array.isArray(rrsets) && rrsets.length === 0))
    throw ValidationError.of('rrsets', 'are changed by PATCH');
}
