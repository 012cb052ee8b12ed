import { ServiceError } from '../../shared/service-error';

/** The rules are not those that the caller read (If-Match). */
export class ApprovalRulesChanged extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super('The approval rules have changed since you read them', 'Read them again, then repeat the change');
  }
}
