import { inject, injectable } from '../../ports/inject';
import type { Domain } from '../../../domain/registration/domain';
import { Nameservers } from '../../../domain/registration/nameservers';
import type { Operation } from '../../../domain/registration/operations/operation';
import type { RequestOf } from '../../../domain/registration/operations/operation-request';
import { isSameRegistrant, type Registrant } from '../../../domain/registration/registrant';
import { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import type { SentGlue } from '../../publishing/glue-addresses';
import { AccountRegistries } from '../../ports/registry/registries';
import { RegistryRejected } from '../../ports/registry/registry-errors';
import type { ChargedDomain, RegistryDomain, RegistryPort } from '../../ports/registry/registry-port';
import { Log } from '../../ports/system';
import { isSupported } from '../assert-supported';
import { resolveBeforeRetry } from '../resolve-before-retry';
import { Delegations, toGlueHost } from './delegations';

/** Tolerance when a registration's creation date is compared with our clock. */
const CLOCK_SKEW_MS = 60_000;
/** After an unknown outcome: some registries report a date without a time, or in another time zone, and the name was available before. */
const CREATION_TOLERANCE_MS = 24 * 3_600_000;

const REGISTERED: ReadonlySet<RegistryDomain['phase']> = new Set(['pending_create', 'registered']);

/** Sets the transfer lock of a name that the registry has without one. */
type EnsureLocked = (held: RegistryDomain) => Promise<RegistryDomain>;

interface Registration {
  readonly facts: ChargedDomain;
  readonly glue: readonly SentGlue[];
  /** Why the registry may have another registrant than was ordered. */
  readonly registrantRefused: string | undefined;
}

/** Registers domains at a registry, and completes a registration that was interrupted after its first command. */
@injectable()
export class Registrations {
  constructor(
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(Delegations) private readonly delegations: Delegations,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Returns the registry's data, and the addresses that it was sent. @throws RegistryRejected, RegistryUnavailable */
  async register(
    domain: Domain,
    request: RequestOf<'register'>,
    operation: Operation,
    ensureLocked: EnsureLocked,
  ): Promise<Registration> {
    const { registrant, nameservers, transferLocked } = domain.toState();
    if (!registrant) throw new TypeError('a registration requires a registrant');
    const glue = await this.delegations.readGlue(domain);
    let isSent = false;
    let registrantRefused: string | undefined;
    const facts = await resolveBeforeRetry<ChargedDomain>(operation, {
      check: async () => {
        const held = await this.findOwnRegistration(domain, operation);
        if (!held) return undefined;
        const locked = transferLocked ? await ensureLocked(held) : held;
        const delegated = await this.delegations.ensure(domain, locked, operation);
        registrantRefused = await this.ensureRegistrant(domain, delegated, registrant, operation);
        return delegated;
      },
      send: async () => {
        isSent = true;
        return this.registryOf(domain).register({
          name: domain.name,
          term: RegistrationTerm.ofYears(request.years),
          registrant,
          nameservers: Nameservers.fromState(nameservers),
          glue: glue.map(toGlueHost),
          price: request.price,
          idnLanguage: request.idnLanguage,
          transactionId: operation.transactionId,
          idempotencyKey: operation.idempotencyKey,
        });
      },
    });
    // What an earlier attempt sent is not known.
    return { facts, registrantRefused, glue: isSent ? glue : glue.map((each) => ({ ...each, addresses: [] })) };
  }

  private async findOwnRegistration(
    domain: Domain,
    { mayHaveTakenEffect }: Operation,
  ): Promise<RegistryDomain | undefined> {
    const held = await this.registryOf(domain).info(domain.name);
    if (!held?.sponsoredByUs || !held.createdByUs || !REGISTERED.has(held.phase)) return undefined;
    const tolerance = mayHaveTakenEffect ? CREATION_TOLERANCE_MS : CLOCK_SKEW_MS;
    const earliest = domain.toState().createdAt.getTime() - tolerance;
    return held.createdAt.getTime() >= earliest ? held : undefined;
  }

  /**
   * Some registrars register with a default contact, and take the registrant in a later command. Returns why the registry may
   * have another one, undefined if it has the right one.
   */
  private async ensureRegistrant(
    domain: Domain,
    { phase }: RegistryDomain,
    registrant: Registrant,
    { transactionId }: Operation,
  ): Promise<string | undefined> {
    if (phase !== 'registered') return undefined;
    const registry = this.registryOf(domain);
    const { id: domainId, name } = domain;
    const shown = await registry.registrant(name).catch(ignoreRejection);
    if (shown && isSameRegistrant(shown, registrant)) return undefined;
    if (!isSupported(this.policies, name, 'registrant_change')) {
      if (!shown) return undefined;
      this.log.error({ domainId, name: name.value }, WRONG_REGISTRANT);
      return 'The registrar cannot change a registrant here';
    }
    try {
      await registry.setRegistrant(name, registrant, `${transactionId}-registrant`);
      return undefined;
    } catch (error) {
      if (!(error instanceof RegistryRejected)) throw error;
      this.log.error({ err: error, domainId, name: name.value }, WRONG_REGISTRANT);
      return error.details ?? error.message;
    }
  }

  private registryOf({ accountId }: Domain): RegistryPort {
    return this.registries.forAccount(accountId);
  }
}

const WRONG_REGISTRANT =
  'a registration was interrupted, and the registry may have another registrant than the account ordered: compare and change it at the registry';

function ignoreRejection(error: unknown): undefined {
  if (!(error instanceof RegistryRejected)) throw error;
  return undefined;
}
