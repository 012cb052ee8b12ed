import { RegistryUnavailable } from 'namewright-adapter';

/** Acme rejected the command. */
export class AcmeError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface AcmeSettings {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
}

/** Of a command that changes something. */
export interface AcmeCommandIds {
  readonly transactionId: string;
  /** The same in each attempt of a command that is charged: Acme returns the first result again, and charges once. */
  readonly idempotencyKey?: string | undefined;
}

/** HTTP client: one POST per command. A response that is neither success nor rejection leaves the outcome unknown. */
export class AcmeClient {
  constructor(private readonly settings: AcmeSettings) {}

  /** @throws AcmeError, RegistryUnavailable */
  async send<T>(command: string, parameters: object, ids?: AcmeCommandIds): Promise<T> {
    const { url, token, timeoutMs } = this.settings;
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(ids && { 'Request-Id': ids.transactionId }),
      ...(ids?.idempotencyKey !== undefined && { 'Idempotency-Key': ids.idempotencyKey }),
    };
    let result: unknown;
    try {
      const response = await fetch(new URL(command, url), {
        method: 'POST',
        headers,
        body: JSON.stringify(parameters),
        signal: AbortSignal.timeout(timeoutMs),
      });
      result = await response.json();
    } catch (error) {
      throw new RegistryUnavailable('Acme did not respond', undefined, { cause: error });
    }
    if (isRejection(result)) throw new AcmeError(result.code, result.text);
    if (!isSuccess(result)) throw new RegistryUnavailable("Acme's response is invalid");
    return result.data as T;
  }
}

function isSuccess(result: unknown): result is { ok: true; data: unknown } {
  return typeof result === 'object' && result !== null && 'ok' in result && result.ok === true && 'data' in result;
}

function isRejection(result: unknown): result is { ok: false; code: string; text: string } {
  return (
    typeof result === 'object' &&
    result !== null &&
    'ok' in result &&
    result.ok === false &&
    'code' in result &&
    typeof result.code === 'string' &&
    'text' in result
  );
}
