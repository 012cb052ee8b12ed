import { ServiceError } from '../../domain/shared/service-error';

export class RouteNotFound extends ServiceError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('Not found');
  }
}

export class MethodNotAllowed extends ServiceError {
  readonly code = 'METHOD_NOT_ALLOWED';

  constructor(readonly allowed: readonly string[]) {
    super('Method not allowed', `Allowed: ${allowed.join(', ')}`);
  }
}

export class PayloadTooLarge extends ServiceError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(options?: ErrorOptions) {
    super('The request body is too large', undefined, options);
  }
}

export class UnsupportedMediaType extends ServiceError {
  readonly code = 'UNSUPPORTED_MEDIA_TYPE';

  constructor(expected: string, options?: ErrorOptions) {
    super('The request body has an unsupported media type', `Send it as ${expected} in UTF-8`, options);
  }
}

/** A form without the token of the session: older than the session, or forged. */
export class FormExpired extends ServiceError {
  readonly code = 'FORM_EXPIRED';

  constructor() {
    super('This form has expired', 'Nothing was changed. Go back, reload the page and send it again.');
  }
}

/** The form was rendered for another of the person's accounts, in another tab. */
export class FormOfOtherAccount extends ServiceError {
  readonly code = 'FORM_EXPIRED';

  constructor() {
    super(
      'This form belongs to another of your accounts',
      'Nothing was changed, because you have switched accounts since you opened the page. Switch back and send it again.',
    );
  }
}

/** Only `/readyz` responds with it; other requests are still served. */
export class ServiceStopping extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';
  override readonly retryAfterSeconds = 2;

  constructor() {
    super('This process is stopping');
  }
}
