import { inject, injectable } from '../ports/inject';
import { asIfAccepted } from '../../domain/access/key-permissions';
import type { Reader } from '../../domain/access/actor';
import type { DomainState } from '../../domain/registration/domain';
import type { ErrorCode } from '../../domain/shared/error-code';
import { ServiceError } from '../../domain/shared/service-error';
import type { StoredState } from '../ports/portfolio/portfolio-repositories';
import { FindDomain } from '../registration/find-domain';
import { ApplyToName } from './apply-to-name';
import type { StatePlan } from './state-plan';
import { StoredStates } from './stored-states';

export interface StateReport {
  readonly owner: DomainState;
  /** Undefined if none was applied. */
  readonly stored: StoredState | undefined;
  /** What has changed since by other ways, as the plan that would set it back. */
  readonly drift: StatePlan | undefined;
  /**
   * Why the state can no longer be applied, as after a change of the zone or of the service's settings. Then there is no drift, unless the
   * state is only refused what its settings would change.
   */
  readonly invalid: ServiceError | undefined;
}

/** What is wrong with a state, not with the request for it. */
const OF_STATES: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'INVALID_NAMESERVERS',
  'INVALID_RECORD_TYPE',
  'INVALID_RECORD_NAME',
  'INVALID_RECORD_CONTENT',
  'CNAME_AT_ROOT',
  'MISSING_PRIORITY',
  'RECORD_CONFLICT',
  'LIMIT_EXCEEDED',
  'DOMAIN_STATUS_CONFLICT',
];

/** Reads the state that was last applied to a name, and its drift. @throws DomainNotFound, LimitedKey unless the requester could apply it */
@injectable()
export class ReadState {
  constructor(
    @inject(FindDomain) private readonly findDomain: Pick<FindDomain, 'zoneByName'>,
    @inject(StoredStates) private readonly states: Pick<StoredStates, 'find'>,
    @inject(ApplyToName) private readonly applyToName: Pick<ApplyToName, 'compare' | 'plan'>,
  ) {}

  async execute({ accountId, actor, name }: Reader & { readonly name: string }): Promise<StateReport> {
    const owner = (await this.findDomain.zoneByName({ accountId, actor, name })).toState();
    const stored = await this.states.find(accountId, owner.id);
    const report = { owner, stored, drift: undefined, invalid: undefined };
    if (!stored) return report;
    const command = { accountId, actor: asIfAccepted(actor), name, state: stored.state };
    const planned = await orErrorOfState(() => this.applyToName.plan(command, owner));
    if (!(planned instanceof ServiceError)) return { ...report, drift: planned };
    const compared = await orErrorOfState(() => this.applyToName.compare(command, owner));
    return { ...report, drift: compared instanceof ServiceError ? undefined : compared, invalid: planned };
  }
}

async function orErrorOfState<T>(run: () => Promise<T>): Promise<T | ServiceError> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError) || !OF_STATES.includes(error.code)) throw error;
    return error;
  }
}
