import { UsageError } from './usage-error.ts';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const TIMEOUT_MS = 30_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Exchanges the OpenID Connect token of a job of CI for an API key: NAMEWRIGHT_OIDC_TOKEN, else one that the runner of GitHub Actions gives
 * for the audience. @throws UsageError with what the service says
 */
export async function exchangeJobToken(
  {
    url,
    rule,
    audience = url,
  }: { readonly url: string; readonly rule: string; readonly audience?: string | undefined },
  env: NodeJS.ProcessEnv,
  send: Fetch = fetch,
): Promise<string> {
  const form = { grant_type: EXCHANGE, subject_token_type: JWT, client_id: rule };
  const token = env['NAMEWRIGHT_OIDC_TOKEN'] || (await tokenOfRunner(audience, env, send));
  const body = new URLSearchParams({ ...form, subject_token: token });
  const members = await requestJson(`${url}/oauth/token`, { method: 'POST', body }, send);
  const { access_token: key, error_description: reason, error } = members;
  // What is not about the token, such as a rate limit, is an error of the API.
  const { message } = { ...(error as { readonly message?: unknown } | undefined) };
  const text = [reason, message].find((each) => typeof each === 'string') ?? 'no reason';
  if (typeof key !== 'string') throw new UsageError(`the service gives no key for the token: ${text}`);
  return key;
}

/** https://docs.github.com/actions/reference/security/oidc: only in jobs with the permission `id-token: write`. */
async function tokenOfRunner(audience: string, env: NodeJS.ProcessEnv, send: Fetch): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  if (!url || !bearer)
    throw new UsageError(
      'there is no token. In GitHub Actions, the job needs `permissions: id-token: write`; in GitLab CI, `id_tokens` with NAMEWRIGHT_OIDC_TOKEN',
    );
  const headers = { Authorization: `Bearer ${bearer}` };
  const { value } = await requestJson(`${url}&audience=${encodeURIComponent(audience)}`, { headers }, send);
  if (typeof value !== 'string') throw new UsageError('the runner gives no token');
  return value;
}

async function requestJson(url: string, init: RequestInit, send: Fetch): Promise<Readonly<Record<string, unknown>>> {
  const { host } = new URL(url);
  try {
    const response = await send(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new UsageError(`${host} does not respond as expected`, { cause: error });
  }
}
