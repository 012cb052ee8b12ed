import type { DomainState } from '../../../domain/registration/domain';
import { isHosted } from '../../../domain/registration/domain-status';

const COLUMNS: readonly (readonly [heading: string, value: (domain: DomainState) => string])[] = [
  ['name', ({ name }) => name],
  ['status', ({ status }) => status],
  ['expires_at', ofRegistration(({ expiresAt }) => expiresAt.toISOString())],
  ['auto_renew', ofRegistration(({ autoRenew }) => String(autoRenew))],
  ['transfer_locked', ofRegistration(({ transferLocked }) => String(transferLocked))],
  ['nameservers', ({ nameservers }) => nameservers.join(' ')],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['id', ({ id }) => id],
  ['tags', ({ tags }) => tags.join(' ')],
];

export const CSV_HEADING = `${COLUMNS.map(([heading]) => heading).join(',')}\r\n`;

/** Empty for a name without a registration. */
function ofRegistration(value: (domain: DomainState) => string) {
  return (domain: DomainState) => (isHosted(domain.status) ? '' : value(domain));
}

/** A CSV record as in RFC 4180. */
export function toCsvLine(domain: DomainState): string {
  return `${COLUMNS.map(([, value]) => quoteCell(value(domain))).join(',')}\r\n`;
}

/** Prefixes text that a spreadsheet would run as a formula (OWASP: CSV injection). */
export function quoteCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
