import { inject, injectable } from '../ports/inject';
import type { Domain } from '../../domain/registration/domain';
import { inKnownOrder } from '../../domain/registration/nameservers';
import type { Operation } from '../../domain/registration/operations/operation';
import type { OperationKind, RequestOf } from '../../domain/registration/operations/operation-request';
import { LifecycleClock } from '../ports/system';
import { AccountRegistries } from '../ports/registry/registries';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { RegistryDomain, RegistryPort } from '../ports/registry/registry-port';
import { Delegations } from './commands/delegations';
import { DsRecords } from './commands/ds-records';
import { DomainDeletions } from './commands/domain-deletions';
import type { Effect } from './operation-outcome';
import { rethrowAsUnknown } from './resolve-before-retry';
import { Registrations } from './commands/registrations';
import { Renewals } from './commands/renewals';
import { TransfersOut } from './commands/transfers-out';

type Performer<K extends OperationKind> = (
  domain: Domain,
  request: RequestOf<K>,
  operation: Operation,
) => Promise<Effect>;

/**
 * Runs each kind of operation at the registry, where its commands count for the account of the domain. After an unknown outcome, commands that must not take effect twice are
 * preceded by a check; the others are idempotent.
 */
@injectable()
export class OperationEffects {
  private readonly performers: { readonly [K in OperationKind]: Performer<K> } = {
    register: (domain, request, operation) => this.register(domain, request, operation),
    renew: async (domain, request, operation) => {
      const facts = await this.renewals.renew(domain, request, operation);
      return {
        apply: (current, now) => checkTransfer(current, facts, now).extendTo(facts.expiresAt, now),
        charged: facts.charged,
      };
    },
    set_nameservers: (domain, request, operation) =>
      this.withRepair(domain, operation, async () => {
        const { facts, glue } = await this.delegations.change(domain, request, operation);
        const hosts = inKnownOrder(facts.nameservers, request.hosts);
        return { glue, apply: (current, now) => checkTransfer(current, facts, now).delegateTo(hosts, now) };
      }),
    update_glue: (domain, { hosts }, operation) =>
      this.withRepair(domain, operation, async () => {
        await this.delegations.updateGlue(domain, hosts, operation);
        return { apply: () => undefined };
      }),
    set_registrant: async (domain, { registrant }, { transactionId }) => {
      await this.registryOf(domain).setRegistrant(domain.name, registrant, transactionId);
      return { apply: (current, now) => current.changeRegistrant(registrant, now) };
    },
    set_transfer_lock: async (domain, { locked }, { transactionId }) => {
      const facts = await this.registryOf(domain).setTransferLock(domain.name, locked, transactionId);
      return { apply: (current, now) => checkTransfer(current, facts, now).setTransferLock(facts.transferLocked, now) };
    },
    set_delegation_signers: async (domain, { signers: dsRecords }, operation) => {
      await this.dsRecords.set(domain, dsRecords, operation);
      return { apply: () => undefined };
    },
    set_registrar_renewal: async (domain, { enabled, autoRenew }, { transactionId }) => {
      await this.registryOf(domain).setRegistrarRenewal(domain.name, enabled, transactionId);
      return {
        apply: (current, now) => {
          current.setRegistrarRenews(enabled, now);
          current.setAutoRenew(autoRenew, now);
        },
      };
    },
    issue_auth_code: async (domain, _request, { transactionId }) => {
      const authCode = await this.registryOf(domain).issueAuthCode(domain.name, transactionId);
      return { apply: (current) => current.setAuthCodeUntil(authCode.expiresAt), authCode };
    },
    withdraw_auth_code: async (domain, _request, { transactionId }) => {
      const { authCodeUntil } = domain.toState();
      if (authCodeUntil && authCodeUntil > this.clock.now()) return { apply: () => undefined };
      await this.registryOf(domain).withdrawAuthCode(domain.name, transactionId);
      return { apply: (current) => current.setAuthCodeUntil(null) };
    },
    approve_transfer: (domain, _request, operation) => this.transfersOut.approve(domain, operation),
    reject_transfer: (domain, _request, operation) =>
      this.transfersOut.reject(domain, operation, (held) => this.ensureLocked(domain, held, operation)),
    release: (domain, request, operation) => this.transfersOut.release(domain, request, operation),
    restore: async (domain, request, operation) => {
      const restored = await this.deletions.restore(domain, request, operation);
      const facts = domain.toState().transferLocked
        ? await this.ensureLocked(domain, restored, operation).catch(rethrowAsUnknown)
        : restored;
      return {
        apply: (current, now) => {
          current.adopt(facts, now);
          if (facts.phase === 'pending_restore') current.schedule(now);
        },
        charged: restored.charged,
      };
    },
    delete: (domain, request, operation) =>
      this.withRepair(domain, operation, async () => {
        const held = await this.deletions.delete(domain, request, operation);
        return { apply: (current, now) => (held ? current.adopt(held, now) : current.markDeleted(now)) };
      }),
  };

  constructor(
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(Registrations) private readonly registrations: Registrations,
    @inject(Delegations) private readonly delegations: Delegations,
    @inject(Renewals) private readonly renewals: Renewals,
    @inject(DomainDeletions) private readonly deletions: DomainDeletions,
    @inject(TransfersOut) private readonly transfersOut: TransfersOut,
    @inject(DsRecords) private readonly dsRecords: DsRecords,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  /** @throws RegistryRejected, RegistryUnavailable */
  async perform(operation: Operation, domain: Domain): Promise<Effect> {
    const performer = this.performers[operation.request.kind] as Performer<OperationKind>;
    return performer(domain, operation.request, operation);
  }

  /** Whether the name is unregistered; false if that cannot be determined. */
  async isDeleted(domain: Domain): Promise<boolean> {
    return this.registryOf(domain)
      .info(domain.name)
      .then(
        (held) => held === undefined,
        () => false,
      );
  }

  private registryOf({ accountId }: Domain): RegistryPort {
    return this.registries.forAccount(accountId);
  }

  /** If the registry rejects `work`, repairs the delegation and adopts it. */
  private async withRepair(domain: Domain, operation: Operation, work: () => Promise<Effect>): Promise<Effect> {
    try {
      return await work();
    } catch (rejection) {
      if (!(rejection instanceof RegistryRejected) || rejection.reason === 'not_held') throw rejection;
      const facts = await this.delegations.repairAfterRejection(domain, operation);
      return {
        rejection,
        apply: (current, now) =>
          facts &&
          checkTransfer(current, facts, now).delegateTo(
            inKnownOrder(facts.nameservers, current.toState().nameservers),
            now,
          ),
      };
    }
  }

  /** A registration that the registry has not decided stays pending until its poll message. */
  private async register(domain: Domain, request: RequestOf<'register'>, operation: Operation): Promise<Effect> {
    const ensureLocked = (held: RegistryDomain) => this.ensureLocked(domain, held, operation);
    const { facts, glue, registrantRefused } = await this.registrations.register(
      domain,
      request,
      operation,
      ensureLocked,
    );
    return {
      glue,
      registrantRefused,
      apply: (current, now) => (facts.phase === 'pending_create' ? undefined : current.confirm(facts, now)),
      charged: facts.charged,
    };
  }

  /**
   * Sets the transfer lock, if the registry allows it, after a registration that was interrupted before the lock, and after a
   * restore that removed the lock.
   */
  private async ensureLocked(
    domain: Domain,
    held: RegistryDomain,
    { transactionId }: Operation,
  ): Promise<RegistryDomain> {
    if (held.transferLocked || held.phase !== 'registered') return held;
    try {
      return await this.registryOf(domain).setTransferLock(held.name, true, `${transactionId}-lock`);
    } catch (error) {
      if (error instanceof RegistryRejected) return held;
      throw error;
    }
  }
}

/** Schedules a check if a transfer is pending. */
function checkTransfer(domain: Domain, { transferPending }: RegistryDomain, now: Date): Domain {
  if (transferPending) domain.schedule(now);
  return domain;
}
