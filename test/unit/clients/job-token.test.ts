import { exchangeJobToken } from '../../../clients/cli/src/program/job-token.ts';

const URL = 'https://names.example.com';
const RUNNER = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://runner.test/?v=1', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'bearer' };

describe('the exchange of a token of a CI job', () => {
  const sent: { url: string; init: RequestInit }[] = [];
  beforeEach(() => sent.splice(0));
  const send =
    (...bodies: object[]) =>
    async (url: string, init: RequestInit) => {
      sent.push({ url, init });
      return Response.json(bodies.shift());
    };
  const formOf = (index: number) => Object.fromEntries(sent[index]?.init.body as URLSearchParams);
  const exchange = (env: NodeJS.ProcessEnv, ...bodies: object[]) =>
    exchangeJobToken({ url: URL, rule: 'tru_1' }, env, send(...bodies));

  it('sends NAMEWRIGHT_OIDC_TOKEN to the service, and no other request', async () => {
    const key = await exchange({ ...RUNNER, NAMEWRIGHT_OIDC_TOKEN: 'a.b.c' }, { access_token: 'key' });

    expect(key).toBe('key');
    expect(sent.map(({ url }) => url)).toEqual([`${URL}/oauth/token`]);
    expect(formOf(0)).toMatchObject({ client_id: 'tru_1', subject_token: 'a.b.c' });
  });

  it('asks the runner of GitHub Actions for a token whose audience is the service', async () => {
    await exchange(RUNNER, { value: 'a.b.c' }, { access_token: 'key' });

    expect(sent[0]).toMatchObject({
      url: 'https://runner.test/?v=1&audience=https%3A%2F%2Fnames.example.com',
      init: { headers: { Authorization: 'Bearer bearer' }, redirect: 'error' },
    });
    expect(formOf(1)).toMatchObject({ subject_token: 'a.b.c' });
    expect(JSON.stringify(sent[1])).not.toContain('bearer');
  });

  it('says what the service refuses, and what a job without a token lacks', async () => {
    const refused = exchange({ NAMEWRIGHT_OIDC_TOKEN: 'a.b.c' }, { error_description: 'the token is invalid: aud' });

    const limited = exchange(
      { NAMEWRIGHT_OIDC_TOKEN: 'a.b.c' },
      { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests' } },
    );

    await expect(refused).rejects.toThrow('the service gives no key for the token: the token is invalid: aud');
    await expect(limited).rejects.toThrow('the service gives no key for the token: Too many requests');
    await expect(exchange({})).rejects.toThrow('id-token: write');
  });
});
