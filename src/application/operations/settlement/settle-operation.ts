import { inject, injectable } from '../../ports/inject';
import { mayLag } from '../../../domain/registration/lifecycle/next-check';
import type { Domain } from '../../../domain/registration/domain';
import type { Operation } from '../../../domain/registration/operations/operation';
import { readLagMsOf, TldPolicies } from '../../../domain/registration/names/tld-policy';
import type { Money } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Clock, LifecycleClock } from '../../ports/system';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { OperationClaims } from '../operation-claims';
import { RegistryEvidence, type Evidence } from './registry-evidence';

export interface Settlement {
  readonly operationId: string;
  readonly outcome: 'succeeded' | 'failed';
  /** For a renewal that the registry has confirmed to the operator and does not show. */
  readonly expiresAt?: Date | undefined;
}

export interface SettledOperation {
  readonly operation: Operation;
  readonly domain: Domain;
  /** What the registry said that it charged. One that failed no longer has it. */
  readonly charged: Money | null;
}

/** A change of our domain, at the registry's time. */
type Change = (domain: Domain, now: Date) => void;

/**
 * Ends an operation whose outcome stays unknown, by the operator's word, with the effects of a normal end. The registry is read
 * before, and nothing is sent. A service may run: an attempt that it begins meanwhile wins.
 */
@injectable()
export class SettleOperation {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'domains' | 'operations'>,
    @inject(OperationClaims) private readonly claims: OperationClaims,
    @inject(RegistryEvidence) private readonly evidence: Pick<RegistryEvidence, 'read'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  /** @throws ValidationError if it is not uncertain or the registry contradicts; RegistryUnavailable if that cannot be read */
  async execute({ operationId, outcome, expiresAt }: Settlement): Promise<SettledOperation> {
    const { operation, domain } = await this.find(operationId);
    assertUncertain(operation);
    if (expiresAt && (outcome === 'failed' || operation.kind !== 'renew'))
      throw ValidationError.of('expires', 'is for renewals that succeeded');
    const end =
      outcome === 'failed'
        ? await this.settleAsFailed(operation, domain)
        : await this.settle(operation, 'succeeded', ...(await this.applyEffect(operation, domain, expiresAt)));
    if (!end?.domain) throw ValidationError.of('ID', 'has changed meanwhile: look at its state, and try again');
    return { operation: end.operation, domain: end.domain, charged: operation.toState().charged };
  }

  private find(id: string): Promise<Omit<SettledOperation, 'charged'>> {
    return this.unitOfWork.run(async ({ operations, domains }) => {
      const operation = await operations.find(id);
      const domain = operation && (await domains.lockAny(operation.toState().domainId));
      if (!domain) throw ValidationError.of('ID', 'is not the id of an operation');
      return { operation, domain };
    });
  }

  /** Without a registry that serves the name, the operator's word is enough. */
  private async settleAsFailed(operation: Operation, domain: Domain) {
    const policy = this.policies.forName(domain.name);
    const { lostAt } = operation.toState();
    const readLagMs = readLagMsOf(policy);
    if (policy && lostAt && mayLag(lostAt, readLagMs, this.clock.now()))
      throw ValidationError.of(
        'ID',
        `may have taken effect without being shown until ${new Date(lostAt.getTime() + readLagMs).toISOString()}: settle it then`,
      );
    const evidence = policy && (await this.evidence.read(operation, domain));
    if (evidence?.isShown) throw ValidationError.of('as', `must not be failed: ${sentence(evidence)}`);
    return this.settle(operation, 'failed', (current, now) => {
      if (operation.kind === 'register') current.markDeleted(now);
      else current.schedule(now);
    });
  }

  private async applyEffect(
    operation: Operation,
    domain: Domain,
    expiresAt: Date | undefined,
  ): Promise<readonly [Change, (string | undefined)?]> {
    const evidence = await this.evidence.read(operation, domain);
    if (evidence.isShown !== false) return [evidence.apply, evidence.registrantRefused];
    if (operation.kind !== 'renew')
      throw ValidationError.of('as', `must not be succeeded: ${sentence(evidence)}. Settle it as failed, or wait`);
    if (!expiresAt)
      throw ValidationError.of(
        'expires',
        `is required: ${sentence(evidence)}. Ask it for the expiry after the renewal`,
      );
    if (expiresAt <= domain.expiresAt)
      throw ValidationError.of('expires', `must be after the present expiry, ${domain.expiresAt.toISOString()}`);
    return [(current, now) => current.extendTo(expiresAt, now)];
  }

  private settle(read: Operation, outcome: Settlement['outcome'], change: Change, registrantRefused?: string) {
    return this.claims.settle(read, (operation, domain) => {
      if (registrantRefused !== undefined) operation.markRegistrantRefused(registrantRefused, this.clock.now());
      if (outcome === 'succeeded') operation.succeed(this.clock.now());
      else operation.fail({ code: 'REGISTRY_REJECTED', message: SETTLED_AS_FAILED }, this.clock.now());
      change(domain, this.lifecycleClock.now());
    });
  }
}

const SETTLED_AS_FAILED = 'The operator has asked the registry: the command took no effect';

function sentence({ found }: Evidence): string {
  return `the registry shows ${found}`;
}

function assertUncertain(operation: Operation): void {
  const { status, uncertainSince } = operation.toState();
  if (status === 'uncertain') return;
  throw ValidationError.of(
    'ID',
    status === 'running' && uncertainSince
      ? 'is being checked at the registry right now: try again in a minute'
      : `must be an uncertain operation: this one is ${status}`,
  );
}
