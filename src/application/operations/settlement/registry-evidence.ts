import { inject, injectable } from '../../ports/inject';
import { matchesDsRecords } from '../../../domain/dns/delegation/ds-record';
import { endsWithAddedYear } from '../../../domain/registration/added-year';
import type { Domain } from '../../../domain/registration/domain';
import { areSameHosts, inKnownOrder } from '../../../domain/registration/nameservers';
import type { Operation } from '../../../domain/registration/operations/operation';
import type { OperationKind, RequestOf } from '../../../domain/registration/operations/operation-request';
import { isSameRegistrant } from '../../../domain/registration/registrant';
import { LifecycleClock } from '../../ports/system';
import { AccountRegistries } from '../../ports/registry/registries';
import { RegistryRejected } from '../../ports/registry/registry-errors';
import type { RegistryDomain, RegistryPort } from '../../ports/registry/registry-port';

/** What a registry shows of the effect of an operation now. */
export interface Evidence {
  /** Undefined if the registry cannot show it. */
  readonly isShown: boolean | undefined;
  /** What it shows, as the rest of a sentence about the registry. */
  readonly found: string;
  /** Why the registry has another registrant than was ordered. */
  readonly registrantRefused?: string | undefined;
  /** The effect on our domain. */
  readonly apply: (domain: Domain, now: Date) => void;
}

type Held = RegistryDomain | undefined;
type Reader<K extends OperationKind> = (
  held: Held,
  request: RequestOf<K>,
  domain: Domain,
  registry: RegistryPort,
) => Evidence | Promise<Evidence>;

const UNCHANGED = () => undefined;

/**
 * Reads whether an operation took effect, for the operator. Less strict than the checks before a repetition, which must identify
 * our own command: here a person vouches for it. Sends no commands.
 */
@injectable()
export class RegistryEvidence {
  private readonly readers: { readonly [K in OperationKind]: Reader<K> } = {
    register: async (held, { kind }, domain, registry) => ({
      registrantRefused: held?.sponsoredByUs ? await differingRegistrant(domain, registry) : undefined,
      isShown: held?.sponsoredByUs === true && held.phase !== 'redemption' && held.phase !== 'pending_delete',
      found: shownDomain(held, kind),
      apply: (domain, now) => void (held?.phase === 'pending_create' || !held || domain.confirm(held, now)),
    }),
    renew: (held, { currentExpiry }, domain) => {
      const from = currentExpiry === undefined ? domain.expiresAt : new Date(currentExpiry);
      const isMoved =
        held?.sponsoredByUs === true && held.expiresAt > from && !endsWithAddedYear(held, this.clock.now());
      return {
        isShown: isMoved,
        found: shownDomain(held, 'renew'),
        apply: (current, now) => held && current.extendTo(held.expiresAt, now),
      };
    },
    restore: (held) => ({
      isShown: held?.sponsoredByUs === true && held.phase !== 'redemption' && held.phase !== 'pending_delete',
      found: shownDomain(held, 'restore'),
      apply: (domain, now) => held && domain.adopt(held, now),
    }),
    delete: (held) => ({
      isShown: !held?.sponsoredByUs || held.phase === 'redemption' || held.phase === 'pending_delete',
      found: shownDomain(held, 'delete'),
      apply: (domain, now) => (held?.sponsoredByUs ? domain.adopt(held, now) : domain.markDeleted(now)),
    }),
    set_nameservers: (held, { hosts }) => ({
      isShown: held?.sponsoredByUs === true && areSameHosts(held.nameservers, hosts),
      found: held ? `the nameservers ${held.nameservers.join(', ')}` : 'no such domain',
      apply: (domain, now) => domain.delegateTo(inKnownOrder(held?.nameservers ?? [], hosts), now),
    }),
    update_glue: () => ({ isShown: undefined, found: 'no addresses', apply: UNCHANGED }),
    set_registrant: async (_held, { registrant }, { name }, registry) => {
      const shown = await registry.registrant(name).catch(ignoreRejection);
      return {
        isShown: shown && isSameRegistrant(shown, registrant),
        found: shown ? 'another registrant' : 'no registrant',
        apply: (domain, now) => domain.changeRegistrant(registrant, now),
      };
    },
    set_transfer_lock: (held, { locked }) => ({
      isShown: held?.sponsoredByUs === true && held.transferLocked === locked,
      found: held?.transferLocked ? 'the transfer lock on' : 'the transfer lock off',
      apply: (domain, now) => domain.setTransferLock(locked, now),
    }),
    set_delegation_signers: async (_held, { signers: dsRecords }, { name }, registry) => {
      const present = await registry.dsRecords(name);
      return {
        isShown: matchesDsRecords(name.value, dsRecords, present),
        found: `DS records of the keys ${present.map(({ keyTag }) => keyTag).join(', ') || '(none)'}`,
        apply: UNCHANGED,
      };
    },
    set_registrar_renewal: (held, { enabled, autoRenew }) => ({
      isShown: held?.registrarRenews === undefined ? undefined : held.registrarRenews === enabled,
      found: held?.registrarRenews ? 'its own renewal on' : 'its own renewal off',
      apply: (domain, now) => {
        domain.setRegistrarRenews(enabled, now);
        domain.setAutoRenew(autoRenew, now);
      },
    }),
    // The code itself is lost.
    issue_auth_code: () => ({ isShown: false, found: 'no auth codes', apply: UNCHANGED }),
    withdraw_auth_code: () => ({
      isShown: undefined,
      found: 'no auth codes',
      apply: (domain) => domain.setAuthCodeUntil(null),
    }),
    approve_transfer: (held) => hasLeft(held),
    reject_transfer: (held) => ({
      isShown: held?.sponsoredByUs === true && !held.transferPending,
      found: held?.transferPending ? 'a pending transfer' : shownDomain(held, 'reject_transfer'),
      apply: (domain, now) => held && domain.adopt(held, now),
    }),
    release: (held) => hasLeft(held),
  };

  constructor(
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  /** @throws RegistryUnavailable, RegistryRejected if the registry cannot be read */
  async read({ request }: Operation, domain: Domain): Promise<Evidence> {
    const registry = this.registries.forAccount(domain.accountId);
    const reader = this.readers[request.kind] as Reader<OperationKind>;
    return reader(await registry.info(domain.name), request, domain, registry);
  }
}

function hasLeft(held: Held): Evidence {
  return {
    isShown: !held?.sponsoredByUs,
    found: shownDomain(held, 'release'),
    apply: (domain, now) => domain.markTransferredOut(now),
  };
}

function shownDomain(held: Held, kind: OperationKind): string {
  if (!held) return 'no such domain';
  if (!held.sponsoredByUs) return 'the domain at another registrar';
  const phase = held.phase.replaceAll('_', ' ');
  return kind === 'renew' ? `the expiry ${held.expiresAt.toISOString()}` : `our domain in the phase ${phase}`;
}

async function differingRegistrant(domain: Domain, registry: RegistryPort): Promise<string | undefined> {
  const { registrant } = domain.toState();
  const shown = await registry.registrant(domain.name).catch(ignoreRejection);
  return shown && registrant && !isSameRegistrant(shown, registrant) ? 'It shows another registrant' : undefined;
}

function ignoreRejection(error: unknown): undefined {
  if (!(error instanceof RegistryRejected)) throw error;
  return undefined;
}
