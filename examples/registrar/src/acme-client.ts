import { RegistryUnavailable } from 'namewright/adapter';

/** What Acme says when it says no. */
export class AcmeRefusal extends Error {
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

/** The wire: one POST a command. Whatever is not a clear yes or no leaves the outcome unknown. */
export class AcmeClient {
  constructor(private readonly settings: AcmeSettings) {}

  /** @throws AcmeRefusal, RegistryUnavailable */
  async send<T>(command: string, parameters: object, transactionId?: string): Promise<T> {
    const { url, token, timeoutMs } = this.settings;
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(transactionId !== undefined && { 'Request-Id': transactionId }),
    };
    let answer: unknown;
    try {
      const response = await fetch(new URL(command, url), {
        method: 'POST',
        headers,
        body: JSON.stringify(parameters),
        signal: AbortSignal.timeout(timeoutMs),
      });
      answer = await response.json();
    } catch (error) {
      throw new RegistryUnavailable('Acme did not answer', undefined, { cause: error });
    }
    if (isRefusal(answer)) throw new AcmeRefusal(answer.code, answer.text);
    if (!isSuccess(answer)) throw new RegistryUnavailable('Acme answered what it never should');
    return answer.data as T;
  }
}

function isSuccess(answer: unknown): answer is { ok: true; data: unknown } {
  return typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === true && 'data' in answer;
}

function isRefusal(answer: unknown): answer is { ok: false; code: string; text: string } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'ok' in answer &&
    answer.ok === false &&
    'code' in answer &&
    typeof answer.code === 'string' &&
    'text' in answer
  );
}
