import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { startFakeProvider } from '../identity/fake-provider';

interface Comment {
  readonly id: number;
  body: string;
  /** Of GitHub. */
  readonly user: { readonly login: string };
  /** Of GitLab. */
  readonly author: { readonly id: number };
}

export interface CodeHost {
  readonly url: string;
  readonly token: string;
  /** Of the tokens of jobs. */
  readonly issuer: string;
  readonly comments: Comment[];
  /** The token of a job, as GitLab puts it into a variable. */
  jobToken(audience: string, claims: Readonly<Record<string, string>>): string;
  /** A comment of someone else. */
  write(body: string): void;
  close(): Promise<void>;
}

const BOT = { user: { login: 'github-actions[bot]' }, author: { id: 7 } };
const PERSON = { user: { login: 'mallory' }, author: { id: 8 } };

/**
 * The comments of one pull request, with the part of the APIs of GitHub and GitLab that `comment-plan.mjs` uses, and the tokens of jobs:
 * `/job-token` is that of GitHub's runner, with the claims in its query.
 */
export async function startCodeHost(): Promise<CodeHost> {
  const token = 'token-of-the-host';
  const provider = await startFakeProvider();
  const jobToken = (aud: string, claims: Readonly<Record<string, string>>) => {
    const iat = Math.floor(Date.now() / 1_000);
    return provider.sign({
      iss: provider.issuer,
      aud,
      sub: 'a job',
      iat,
      exp: iat + 300,
      jti: randomUUID(),
      ...claims,
    });
  };
  const comments: Comment[] = [];
  const lists = ['/repos/org/dns/issues/5/comments', '/projects/3/merge_requests/5/notes'];
  const single = /^(?:\/repos\/org\/dns\/issues\/comments|\/projects\/3\/merge_requests\/5\/notes)\/(\d+)$/;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://code.test');
    const { authorization, 'private-token': privateToken } = request.headers;
    const respond = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (authorization !== `Bearer ${token}` && privateToken !== token) return respond(401, {});
    const isList = lists.includes(path);
    if (request.method === 'GET' && path === '/user') return respond(200, BOT.author);
    if (request.method === 'GET' && path === '/job-token') {
      const { audience = '', ...claims } = Object.fromEntries(searchParams);
      return respond(200, { value: jobToken(audience, claims) });
    }
    if (request.method === 'GET' && isList) {
      const size = Number(searchParams.get('per_page'));
      const start = (Number(searchParams.get('page')) - 1) * size;
      return respond(200, comments.slice(start, start + size));
    }
    const { body } = (await json(request)) as { body: string };
    if (request.method === 'POST' && isList) {
      comments.push({ id: comments.length + 1, body, ...BOT });
      return respond(201, {});
    }
    const [, id] = single.exec(path) ?? [];
    const comment = comments.find((each) => each.id === Number(id));
    const update = authorization === undefined ? 'PUT' : 'PATCH';
    if (request.method !== update || comment?.author.id !== BOT.author.id) return respond(404, {});
    comment.body = body;
    return respond(200, {});
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    issuer: provider.issuer,
    comments,
    jobToken,
    write: (body) => comments.push({ id: comments.length + 1, body, ...PERSON }),
    close: async () => {
      await provider.stop();
      await new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      });
    },
  };
}
