import { ServiceError } from '../../shared/service-error';

export class TrustRuleNotFound extends ServiceError {
  readonly code = 'TRUST_RULE_NOT_FOUND';

  constructor() {
    super('Specified trust rule not found');
  }
}

export class TooManyTrustRules extends ServiceError {
  readonly code = 'LIMIT_EXCEEDED';

  constructor(most: number) {
    super('Too many trust rules', `An account can have ${most} trust rules`);
  }
}
