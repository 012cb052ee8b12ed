import { RegistryInconclusive } from '../../../application/ports/registry/registry-errors';
import type {
  AuthCode,
  ChargedDomain,
  RegistryDomain,
  RegistryMessage,
} from '../../../application/ports/registry/registry-port';
import type { NamePage } from '../../../application/ports/registry/registries';
import type { RegistryTransfer } from '../../../application/ports/registry/registry-transfers';
import type { DsRecord } from '../../../domain/dns/delegation/ds-record';
import { type DomainName, isHostName } from '../../../domain/shared/domain-name';
import type { Registrant } from '../../../domain/registration/registrant';
import { addYears } from '../../../domain/shared/time/calendar';
import type { Money } from '../../../domain/shared/money';

/** RFC 5731 sets no limit, but no registry allows more. */
const MAX_NAMESERVERS = 13;
const MAX_AUTH_CODE_LENGTH = 255;
/** Three lines of a street in EPP have 769. */
const MAX_CONTACT_TEXT = 1_000;
/** Adapters use the epoch for a date that a registry hides from other registrars. */
const EARLIEST = new Date('1970-01-01T00:00:00Z');
/** The sandbox's clock may be years ahead, and a term has up to ten years. */
const MAX_YEARS_AHEAD = 100;
/** Registries allow far fewer DS records for a name. */
const MAX_DS_RECORDS = 100;
const MAX_PUBLIC_KEY_LENGTH = 8_192;
/** Minor units of any currency, above the price of any name. */
const MAX_MINOR = 1_000_000_000_000;

type Warn = (message: string, facts: Readonly<Record<string, unknown>>) => void;

/**
 * Validates an adapter's result before the service adopts it. Removes invalid, repeated and surplus nameservers, and a registrant
 * that cannot be stored, with a warning, and an invalid charge of a domain or transfer without one.
 * @throws RegistryInconclusive for another name, an unknown phase or transfer status, a date out of range, or an invalid price
 */
export function validateFacts<T>(name: DomainName, facts: T, now: Date, warn: Warn): T {
  if (typeof facts !== 'object' || facts === null) return facts;
  if (isDomain(facts)) return validateDomain(name, facts, now, warn) as T & RegistryDomain;
  if (isTransfer(facts)) return validateTransfer(name, facts, now) as T & RegistryTransfer;
  if (isAuthCode(facts)) return validateAuthCode(facts, now) as T & AuthCode;
  if (isRegistrant(facts)) return validateRegistrant(name, facts, warn) as T;
  assertAmounts(facts);
  return facts;
}

/**
 * Validates the DS records of a name. None is removed, because that would look like the end of a key rollover.
 * @throws RegistryInconclusive for one with a field out of range, or too many
 */
export function validateDsRecords(name: DomainName, dsRecords: readonly DsRecord[]): readonly DsRecord[] {
  if (!Array.isArray(dsRecords) || dsRecords.length > MAX_DS_RECORDS || !dsRecords.every(isDsRecord))
    throw new RegistryInconclusive(`The registry's response has invalid DS records for ${name.value}`);
  return dsRecords;
}

/** Whether every amount in a price is a valid, non-negative sum. */
export function areAmountsValid(price: object): boolean {
  if (isMoney(price))
    return (
      Number.isSafeInteger(price.minor) &&
      price.minor >= 0 &&
      price.minor <= MAX_MINOR &&
      /^[A-Z]{3}$/.test(price.currency)
    );
  return Object.values(price).every(
    (part: unknown) => typeof part !== 'object' || part === null || areAmountsValid(part),
  );
}

/** Skips names with an invalid expiry in a page of a listing, with a warning that names what is skipped. */
export function validatePage(page: NamePage, now: Date, warn: Warn): NamePage {
  const names = page.names.filter(({ expiresAt }) => isInstant(expiresAt, now));
  const invalid = page.names
    .filter(({ expiresAt }) => !isInstant(expiresAt, now))
    .map(({ name }) => ({ name: name.value, reason: 'the registry tells no valid expiry of this name' }));
  const skipped = [...(page.skipped ?? []), ...invalid];
  if (skipped.length === 0) return page;
  warn('entries in the list of the registry are skipped', { skipped: skipped.length, first: skipped.slice(0, 10) });
  return { ...page, names, skipped };
}

/** Validates a message. A name that the registry does not serve for us becomes `foreignName`, so that nothing acts on it. */
export function validateMessage(
  message: RegistryMessage,
  isServed: (name: DomainName) => boolean,
  now: Date,
): RegistryMessage {
  if (typeof message.id !== 'string' || message.id === '')
    throw new RegistryInconclusive('The registry sent a message without an id');
  const { name, furtherNames, ...others } = message;
  const rest = { ...others, ...(furtherNames && { furtherNames: furtherNames.filter(isServed) }) };
  const at = isInstant(message.at, now) ? message.at : now;
  const text = typeof message.text === 'string' ? message.text : '';
  if (!name) return { ...rest, at, text };
  return isServed(name) ? { ...rest, name, at, text } : { ...rest, at, text, kind: 'other', foreignName: name.value };
}

function validateDomain(name: DomainName, facts: ChargedDomain, now: Date, warn: Warn): ChargedDomain {
  const { phase, createdAt, expiresAt, phaseEndsAt } = facts;
  if (facts.name.value !== name.value)
    throw new RegistryInconclusive(`The registry's response is about another name than ${name.value}`);
  if (!Object.hasOwn(PHASES, phase))
    throw new RegistryInconclusive(`The registry's response has an unknown phase for ${name.value}`);
  for (const instant of [createdAt, expiresAt, ...(phaseEndsAt ? [phaseEndsAt] : [])]) {
    if (!isInstant(instant, now))
      throw new RegistryInconclusive(`The registry's response has an invalid date for ${name.value}`);
  }
  const valid = facts.nameservers.filter(
    (host, index, all) => typeof host === 'string' && isHostName(host) && all.indexOf(host) === index,
  );
  const nameservers = valid.slice(0, MAX_NAMESERVERS);
  const { charged, ...withoutCharge } = facts;
  const validated = charged && !areAmountsValid(charged) ? withoutCharge : facts;
  if (nameservers.length === facts.nameservers.length) return validated;
  warn('invalid, repeated or surplus nameservers from the registry ignored', {
    name: name.value,
    received: facts.nameservers.length,
    ignored: facts.nameservers.length - nameservers.length,
  });
  return { ...validated, nameservers };
}

function validateTransfer(name: DomainName, facts: RegistryTransfer, now: Date): RegistryTransfer {
  const { charged, ...withoutCharge } = facts;
  const { direction, status, requestedAt, endsAt = requestedAt } = facts;
  if (facts.name.value !== name.value)
    throw new RegistryInconclusive(`The registry's response is about another name than ${name.value}`);
  if (!Object.hasOwn(TRANSFER_STATUSES, status) || (direction !== 'in' && direction !== 'out'))
    throw new RegistryInconclusive(`The registry's response has an unknown transfer status for ${name.value}`);
  if (!isInstant(requestedAt, now) || !isInstant(endsAt, now))
    throw new RegistryInconclusive(`The registry's response has an invalid date for ${name.value}`);
  return charged && !areAmountsValid(charged) ? withoutCharge : facts;
}

function validateAuthCode(authCode: AuthCode, now: Date): AuthCode {
  const { code, expiresAt } = authCode;
  if (code === '' || code.length > MAX_AUTH_CODE_LENGTH || !isInstant(expiresAt, now))
    throw new RegistryInconclusive('The registry issued an invalid auth code');
  return authCode;
}

/** Undefined for one with other than short texts. It need not follow the rules for registrants of new domains. */
function validateRegistrant(name: DomainName, registrant: Registrant, warn: Warn): Registrant | undefined {
  const { address, ...others } = registrant;
  const texts: readonly unknown[] = [...Object.values(others), ...Object.values(address)];
  if (texts.every((text) => text === undefined || (typeof text === 'string' && text.length <= MAX_CONTACT_TEXT)))
    return registrant;
  warn('the registrant from the registry is invalid or too long, and was ignored', { name: name.value });
  return undefined;
}

function assertAmounts(facts: object): void {
  if (!areAmountsValid(facts)) throw new RegistryInconclusive("The registry's response has an invalid amount");
}

function isDsRecord({ keyTag, algorithm, digestType, digest, key }: DsRecord): boolean {
  const isKeyValid =
    !key ||
    (isUnsigned(key.flags, 16) &&
      isUnsigned(key.algorithm, 8) &&
      /^[A-Za-z0-9+/]+={0,2}$/.test(key.publicKey) &&
      key.publicKey.length <= MAX_PUBLIC_KEY_LENGTH);
  return (
    isKeyValid &&
    isUnsigned(keyTag, 16) &&
    isUnsigned(algorithm, 8) &&
    isUnsigned(digestType, 8) &&
    /^(?:[0-9A-Fa-f]{2}){1,64}$/.test(digest)
  );
}

function isUnsigned(value: number, bits: 8 | 16): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** bits;
}

function isInstant(date: unknown, now: Date): boolean {
  return date instanceof Date && date >= EARLIEST && date <= addYears(now, MAX_YEARS_AHEAD);
}

const PHASES: Readonly<Record<RegistryDomain['phase'], true>> = {
  pending_create: true,
  registered: true,
  auto_renew_grace: true,
  redemption: true,
  pending_restore: true,
  pending_delete: true,
};

const TRANSFER_STATUSES: Readonly<Record<RegistryTransfer['status'], true>> = {
  pending: true,
  completed: true,
  rejected: true,
  cancelled: true,
};

function isTransfer(facts: object): facts is RegistryTransfer {
  return 'direction' in facts && 'requestedAt' in facts;
}

function isDomain(facts: object): facts is RegistryDomain {
  return 'phase' in facts && 'nameservers' in facts;
}

function isRegistrant(facts: object): facts is Registrant {
  return 'firstName' in facts && 'address' in facts && typeof facts.address === 'object' && facts.address !== null;
}

function isAuthCode(facts: object): facts is AuthCode {
  return 'code' in facts && typeof facts.code === 'string' && 'expiresAt' in facts;
}

function isMoney(part: object): part is Money {
  return 'minor' in part && 'currency' in part;
}
