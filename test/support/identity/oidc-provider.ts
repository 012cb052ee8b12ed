import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CLIENT } from './fake-provider';

export interface OidcProvider {
  readonly issuer: string;
  /** Registers the service that listens at the address as the client. From then on, a new key signs, and the former one is gone. */
  register(address: string): Promise<void>;
  /** The token of a job of CI, as an access token in the form of a JWT. */
  jobToken(audience: string): Promise<string>;
  stop(): void;
}

/** npm's oidc-provider in a separate process, with its pages for sign-in and consent: any name is accepted. */
export async function startOidcProvider(id: string): Promise<OidcProvider> {
  const child = fork(join(__dirname, 'oidc-provider-process.mjs'), { silent: true, execArgv: [] });
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }];
  return {
    issuer,
    register: async (address) => {
      const logoutUri = `${address}/sign-in/with/${id}/logout`;
      const redirectUri = `${address}/sign-in/with/${id}/callback`;
      child.send({ issuer, client: CLIENT, redirectUri, signedOutUri: `${address}/sign-in`, logoutUri });
      await once(child, 'message');
    },
    jobToken: async (audience) => {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${btoa(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
      });
      const { access_token: token } = (await response.json()) as { access_token: string };
      return token;
    },
    stop: () => void child.kill(),
  };
}
