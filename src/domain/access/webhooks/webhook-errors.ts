import { ServiceError } from '../../shared/service-error';

export class WebhookNotFound extends ServiceError {
  readonly code = 'WEBHOOK_NOT_FOUND';

  constructor() {
    super('Specified webhook not found');
  }
}

export class DeliveryNotFound extends ServiceError {
  readonly code = 'DELIVERY_NOT_FOUND';

  constructor() {
    super('Specified delivery not found');
  }
}

export class WebhookNotActive extends ServiceError {
  readonly code = 'WEBHOOK_NOT_ACTIVE';

  constructor() {
    super('The webhook is not active', 'Resume it first');
  }
}

export class TooManyWebhooks extends ServiceError {
  readonly code = 'LIMIT_EXCEEDED';

  constructor(most: number) {
    super('Too many webhooks', `An account can have ${most} webhooks`);
  }
}
