import { RegistryInconclusive } from '../../../application/ports/registry/registry-errors';
import type {
  AuthCode,
  ChargedDomain,
  RegistryDomain,
  RegistryMessage,
} from '../../../application/ports/registry/registry-port';
import { type DomainName, isHostName } from '../../../domain/registration/domain-name';
import { addYears } from '../../../domain/shared/calendar';
import type { Money } from '../../../domain/shared/money';

/** RFC 5731 sets no limit; no registry has more, and a zone's answers carry them all. */
const MOST_NAMESERVERS = 13;
const LONGEST_AUTH_CODE = 255;
/** The DNS is younger. An instant that a registry does not show of another registrar's domain is 1970. */
const EARLIEST = new Date('1970-01-01T00:00:00Z');
/** The sandbox's clock may be years ahead, and a term has ten at most. */
const MOST_YEARS_AHEAD = 100;
/** More than any name costs, in minor units of any currency. */
const MOST_MINOR = 1_000_000_000_000;

type Watch = (what: string, facts: Readonly<Record<string, unknown>>) => void;

/**
 * What a registry says of a name or a price, before anything is made of it. Host names that are none, repeated or too many
 * are left out and told to `watch`.
 * @throws RegistryInconclusive for another name, an unknown phase, a date or an amount out of all bounds
 */
export function judgedFacts<T>(name: DomainName, facts: T, now: Date, watch: Watch): T {
  if (typeof facts !== 'object' || facts === null) return facts;
  if (isDomain(facts)) return judgedDomain(name, facts, now, watch) as T & RegistryDomain;
  if (isAuthCode(facts)) return judgedAuthCode(facts, now) as T & AuthCode;
  assertAmounts(facts);
  return facts;
}

/** Whether all amounts in a price are such that they can be asked for. */
export function areAmountsSound(price: object): boolean {
  if (isMoney(price))
    return (
      Number.isSafeInteger(price.minor) &&
      price.minor >= 0 &&
      price.minor <= MOST_MINOR &&
      /^[A-Z]{3}$/.test(price.currency)
    );
  return Object.values(price).every(
    (part: unknown) => typeof part !== 'object' || part === null || areAmountsSound(part),
  );
}

/** A message as it may be acted upon: one about a name that the registry does not serve for us is about no name. */
export function judgedMessage(
  message: RegistryMessage,
  isServed: (name: DomainName) => boolean,
  now: Date,
): RegistryMessage {
  if (typeof message.id !== 'string' || message.id === '')
    throw new RegistryInconclusive('The registry sent a message without an id');
  const { name, ...rest } = message;
  const at = isInstant(message.at, now) ? message.at : now;
  const text = typeof message.text === 'string' ? message.text : '';
  if (!name) return { ...rest, at, text };
  return isServed(name) ? { ...message, at, text } : { ...rest, at, text, kind: 'other', foreignName: name.value };
}

function judgedDomain(name: DomainName, facts: ChargedDomain, now: Date, watch: Watch): ChargedDomain {
  const { phase, createdAt, expiresAt, phaseEndsAt } = facts;
  if (facts.name.value !== name.value)
    throw new RegistryInconclusive(`The registry answered about another name than ${name.value}`);
  if (!Object.hasOwn(PHASES, phase))
    throw new RegistryInconclusive(`The registry shows ${name.value} in an unknown phase`);
  for (const instant of [createdAt, expiresAt, ...(phaseEndsAt ? [phaseEndsAt] : [])]) {
    if (!isInstant(instant, now))
      throw new RegistryInconclusive(`The registry shows a date of ${name.value} that cannot be true`);
  }
  const valid = facts.nameservers.filter(
    (host, index, all) => typeof host === 'string' && isHostName(host) && all.indexOf(host) === index,
  );
  const nameservers = valid.slice(0, MOST_NAMESERVERS);
  const { charged, ...rest } = facts;
  const sound = charged && !areAmountsSound(charged) ? rest : facts;
  if (nameservers.length === facts.nameservers.length) return sound;
  watch('a registry shows nameservers that are no host names, repeated or too many: they are ignored', {
    name: name.value,
    shown: facts.nameservers.length,
    ignored: facts.nameservers.length - nameservers.length,
  });
  return { ...sound, nameservers };
}

function judgedAuthCode(authCode: AuthCode, now: Date): AuthCode {
  const { code, expiresAt } = authCode;
  if (code === '' || code.length > LONGEST_AUTH_CODE || !isInstant(expiresAt, now))
    throw new RegistryInconclusive('The registry issued an auth code that is none');
  return authCode;
}

function assertAmounts(facts: object): void {
  if (!areAmountsSound(facts)) throw new RegistryInconclusive('The registry asks an amount that cannot be true');
}

function isInstant(date: unknown, now: Date): boolean {
  return date instanceof Date && date >= EARLIEST && date <= addYears(now, MOST_YEARS_AHEAD);
}

const PHASES: Readonly<Record<RegistryDomain['phase'], true>> = {
  pending_create: true,
  registered: true,
  auto_renew_grace: true,
  redemption: true,
  pending_restore: true,
  pending_delete: true,
};

function isDomain(facts: object): facts is RegistryDomain {
  return 'phase' in facts && 'nameservers' in facts;
}

function isAuthCode(facts: object): facts is AuthCode {
  return 'code' in facts && typeof facts.code === 'string' && 'expiresAt' in facts;
}

function isMoney(part: object): part is Money {
  return 'minor' in part && 'currency' in part;
}
