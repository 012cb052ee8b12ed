import { inject, injectable } from '../../ports/inject';
import { Domain, type DomainState } from '../../../domain/registration/domain';
import { DomainName } from '../../../domain/shared/domain-name';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import type { Difference } from '../../../domain/registrar/reconciliation';
import { sameDay } from '../../../domain/shared/time/calendar';
import { LifecyclePlan } from '../../operations/lifecycle-plan';
import { RegistryPort, type RegistryDomain } from '../../ports/registry/registry-port';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { LifecycleClock } from '../../ports/system';
import { retryQuery } from './retry-query';

/** `theirs` of a difference, if the registry does not know the name. */
export const UNREGISTERED = 'unregistered';

const NOT_COMPARED: ReadonlySet<DomainStatus> = new Set(['pending', 'transferred_out', 'gone']);

/** Compares a domain with its registry by one call. Changes nothing. @throws RegistryUnavailable */
@injectable()
export class CompareDomain {
  constructor(
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'domains' | 'operations'>,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  /** Compares with the committed state after the call, so that a change in the meantime is no difference. */
  async execute({ id, name }: Pick<DomainState, 'id' | 'name'>): Promise<readonly Difference[]> {
    const facts = await retryQuery(() => this.registry.info(DomainName.fromState(name)));
    return this.unitOfWork.run(async ({ domains, operations }) => {
      const domain = await domains.lockAny(id);
      const state = domain?.toState();
      if (!state || NOT_COMPARED.has(state.status)) return [];
      const found = this.differencesOf(state, facts);
      return found.length > 0 && (await operations.unfinished(id)).length > 0 ? [] : found;
    });
  }

  /** What a check of the domain would change. */
  private differencesOf(state: DomainState, facts: RegistryDomain | undefined): readonly Difference[] {
    const { name, accountId, id: domainId } = state;
    const differ = (kind: Difference['kind'], ours: string, theirs: string): Difference[] =>
      ours === theirs ? [] : [{ name, kind, accountId, domainId, ours, theirs }];
    if (!facts) return differ('missing there', state.status, UNREGISTERED);
    if (!facts.sponsoredByUs) return differ('missing there', state.status, 'held by another registrar');
    const theirs = this.adopted(state, facts);
    if (!theirs) return differ('status', state.status, facts.phase);
    return [
      ...differ('status', state.status, theirs.status),
      ...(sameDay(state.expiresAt, theirs.expiresAt)
        ? []
        : differ('expiry', state.expiresAt.toISOString(), theirs.expiresAt.toISOString())),
      ...differ('lock', lockText(state), lockText(theirs)),
      ...differ('nameservers', hostsText(state), hostsText(theirs)),
    ];
  }

  /** The domain after a check; undefined if its status cannot become the registry's. */
  private adopted(state: DomainState, facts: RegistryDomain): DomainState | undefined {
    const domain = Domain.fromState(state);
    try {
      this.plan.adopt(domain, facts, this.lifecycleClock.now());
      return domain.toState();
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }
}

function lockText({ transferLocked }: DomainState): string {
  return transferLocked ? 'on' : 'off';
}

function hostsText({ nameservers }: DomainState): string {
  return nameservers
    .map((host) => host.toLowerCase())
    .toSorted()
    .join(', ');
}
