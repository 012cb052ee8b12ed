import { ServiceError } from '../../shared/service-error';

export class ProposalNotFound extends ServiceError {
  readonly code = 'PROPOSAL_NOT_FOUND';

  constructor() {
    super('Specified proposal not found');
  }
}

/** It is decided already. */
export class ProposalClosed extends ServiceError {
  readonly code = 'PROPOSAL_CLOSED';

  constructor(status: string) {
    super('The proposal is not open', `Its state is ${status}`);
  }
}

/** The write would do something else now than what the proposal shows. */
export class ProposalStale extends ServiceError {
  readonly code = 'PROPOSAL_CLOSED';

  constructor() {
    super(
      'The proposal is not open',
      'It is stale: the write would do something else now than its plan says. Compare plan with current_plan, and propose it again',
    );
  }
}

/** At the moment of the write it would do something else than the plan says, which was the same a moment before. */
export class PlanOvertaken extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super('The write would do something else now than its plan says');
  }
}

/** Who proposed a write does not accept it, and no one else withdraws it. */
export class ProposerDecides extends ServiceError {
  readonly code = 'INSUFFICIENT_SCOPE';

  constructor(what: 'decide' | 'withdraw') {
    super(
      what === 'decide' ? 'Someone else has to decide on this proposal' : 'Only who made this proposal can withdraw it',
    );
  }
}
