import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenIdProviders } from '../../../../src/infrastructure/identity/openid-providers';
import type { ProviderDefinition } from '../../../../src/infrastructure/identity/read-providers';
import { RecordingLog } from '../../../support/fakes/recording-log';

describe('discovery of an OpenID Connect provider', () => {
  let server: Server;
  let requests = 0;
  let providers: OpenIdProviders;
  beforeAll(async () => {
    server = createServer((req) => {
      requests += 1;
      req.socket.destroy();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const definition: ProviderDefinition = {
      id: 'acme',
      name: 'ACME',
      issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      clientId: 'a',
      clientSecret: 'b',
      scopes: ['openid'],
      secondFactor: 'never',
      invitations: false,
      groupsClaim: '',
    };
    providers = new OpenIdProviders([definition], new RecordingLog());
  });
  afterAll(() => server.close());
  afterEach(() => jest.restoreAllMocks());

  const start = () => providers.start(providers.all[0]!, { redirectUri: 'http://localhost/', fresh: false });

  it('asks a provider that does not respond once for all sign-ins, and again after ten seconds', async () => {
    const refusal = { code: 'SERVICE_UNAVAILABLE' };

    await Promise.all([1, 2, 3].map(() => expect(start()).rejects.toMatchObject(refusal)));
    await expect(start()).rejects.toMatchObject(refusal);
    expect(requests).toBe(1);

    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 10_000);
    await expect(start()).rejects.toMatchObject(refusal);
    expect(requests).toBe(2);
  });
});
