import request from 'supertest';
import { Log } from '../../../src/application/ports/system';
import { SessionReader } from '../../../src/application/ports/access/users';
import { DashboardClient } from '../../support/dashboard/dashboard-client';
import {
  addApp,
  codeOf,
  fieldIn,
  fresh,
  isSignedIn,
  secondsAgo,
  type ProviderService,
} from '../../support/identity/provider-service';

/** OpenID Connect Back-Channel Logout 1.0. */
export function backChannelLogoutContract(at: () => ProviderService): void {
  describe('at a sign-out with the provider', () => {
    it('end if they began with that provider, and no others do', async () => {
      const [one, other] = [await at().aUserWithoutPassword(), await at().aUserWithoutPassword()];
      const again = await at().signedInWith({ sub: one.sub, sid: 'first' });
      const { personId } = await at().userOf(one.email);
      const [session] = await at().service.container.get<SessionReader>(SessionReader).ofUser(personId);
      await at()
        .unitOfWork()
        .run(({ sessions }) => sessions.add({ ...session!, id: fresh('ses'), digest: '0'.repeat(64), data: '{}' }));

      await at()
        .send(at().tokenOf({ sub: one.sub }), 'plain')
        .expect(200);
      expect(await isSignedIn(again)).toBe(true);
      const { headers } = await at()
        .send(at().tokenOf({ sub: one.sub }))
        .expect(200);

      expect(headers['cache-control']).toBe('no-store');
      expect([await isSignedIn(one.client), await isSignedIn(again), await isSignedIn(other.client)]).toEqual([
        false,
        false,
        true,
      ]);
      expect(await at().service.container.get<SessionReader>(SessionReader).ofUser(personId)).toHaveLength(1);
    });

    it('end alone if the sign-out names one, also without the person', async () => {
      const { client: unnamed, sub } = await at().aUserWithoutPassword();
      const [first, second] = [
        await at().signedInWith({ sub, sid: 'desk' }),
        await at().signedInWith({ sub, sid: 'phone' }),
      ];

      await at()
        .send(at().tokenOf({ sid: 'phone' }))
        .expect(200);
      expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(unnamed)]).toEqual([
        true,
        false,
        true,
      ]);

      await at()
        .send(at().tokenOf({ sub, sid: 'elsewhere' }))
        .expect(200);
      // It does not know its session there, so that it may be that one.
      expect([await isSignedIn(first), await isSignedIn(unnamed)]).toEqual([true, false]);
    });

    it('stay open for a token that was used before, and for people who are not known', async () => {
      const { sub } = await at().aUserWithoutPassword();
      const token = at().tokenOf({ sub });
      await at().send(token).expect(200);
      const client = await at().signedInWith({ sub });

      const { body } = await at().send(token).expect(400);

      expect(body).toEqual({ error: 'invalid_request', error_description: 'The logout token is not valid' });
      expect(await isSignedIn(client)).toBe(true);
      await at()
        .send(at().tokenOf({ sub: 'unknown' }))
        .expect(200);
    });

    it('end also while they are opened: before the response of the provider, and before the code of a second factor', async () => {
      const { client: first, sub } = await at().aUserWithoutPassword();
      const secret = await addApp(first);
      const client = new DashboardClient(at().service);
      const { headers } = await client.get('/sign-in/with/acme').expect(303);
      await at().send(at().tokenOf({ sub })).expect(200);
      const { text: form } = await client.get(at().provider.authorize(headers['location'] ?? '', { sub })).expect(200);
      const ticket = fieldIn(form, 'ticket');
      await client
        .post('/sign-in/second-factor', { ticket, code: codeOf(secret, 1) })
        .expect(401, /You signed out at the provider/);
      expect(await isSignedIn(client)).toBe(false);

      const { client: next, response } = await at().signInWith({ sub, sid: 'desk', amr: ['mfa'] });
      expect([response.status, await isSignedIn(next)]).toEqual([303, true]);
    });

    it('stay open for an invalid token, whose wrong claim is in the log', async () => {
      const { client, sub } = await at().aUserWithoutPassword();
      const warn = jest.spyOn(at().service.container.get<Log>(Log), 'warn');
      const used = at().tokenOf({ sub: 'unknown here' });
      await at().send(used).expect(200);

      await at()
        .send(at().tokenOf({ sub, aud: 'another client' }))
        .expect(400);
      await at()
        .send(at().tokenOf({ sub, events: {} }))
        .expect(400);
      await at().send(used).expect(400);

      const told = warn.mock.calls.map(([facts, message]) => [facts, message]);
      warn.mockRestore();
      expect(told).toEqual(
        ['aud', 'events', 'jti was used before'].map((reason) => [
          { provider: 'acme', reason },
          'a logout token of an identity provider was refused',
        ]),
      );
      expect(await isSignedIn(client)).toBe(true);
    });

    it('stay open for an invalid token, of which a client can send a few only', async () => {
      const { client, sub } = await at().aUserWithoutPassword();
      const [content, signature = ''] = at()
        .tokenOf({ sub })
        .split(/\.(?=[^.]*$)/);
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${content?.split('.')[1]}.`;
      const invalid = [
        '',
        'no token',
        'a.b.c',
        'x'.repeat(9_000),
        unsigned,
        `${content}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
        at().tokenOf({ sub }, { kid: 'unknown' }),
        at().tokenOf({ sub }, { typ: 'at+jwt' }),
        at().tokenOf({ sub, iss: 'https://elsewhere.example' }),
        at().tokenOf({ sub, aud: 'another client' }),
        at().tokenOf({ sub, iat: secondsAgo(600) }),
        at().tokenOf({ sub, iat: secondsAgo(-600) }),
        at().tokenOf({ sub, iat: undefined }),
        at().tokenOf({ sub, exp: secondsAgo(120) }),
        at().tokenOf({ sub, exp: undefined }),
        at().tokenOf({ sub, jti: undefined }),
        at().tokenOf({ sub, nonce: 'of an ID token' }),
        at().tokenOf({ sub, events: {} }),
        at().tokenOf({ sub, events: { 'http://schemas.openid.net/event/backchannel-logout': true } }),
        at().tokenOf({}),
      ];

      for (const token of invalid) expect([token, (await at().send(token)).status]).toEqual([token, 400]);

      await at().send('x'.repeat(20_000)).expect(413);
      await at().send(at().tokenOf({ sub }), 'unknown').expect(404);
      await request(at().service.server).get('/sign-in/with/acme/logout').expect(404);
      expect(await isSignedIn(client)).toBe(true);
      let status = 400;
      for (let sent = 0; status === 400 && sent < 200; sent += 1) ({ status } = await at().send('no token'));
      expect(status).toBe(429);
    });
  });
}
