import { ServiceError } from '../../domain/shared/service-error';

/** A name has changed since the plan that is to be applied; `details` say what. */
export class StatePlanOutdated extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor(changes: string, options?: ErrorOptions) {
    super('The plan is older than what it changes', `${changes}. Make a new plan`, options);
  }
}
