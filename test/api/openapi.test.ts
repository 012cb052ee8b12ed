import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import request from 'supertest';
import { isWrite } from '../../src/http/api/route';
import { INTERFACE_ERRORS } from '../../src/http/shared/error-codes';
import { API_ROUTES } from '../support/http/api-routes';
import { mapValues } from '../support/http/close-schema';
import { assertDocumented, type SentResponse } from '../support/http/assert-documented';
import { ownPaths } from '../../src/http/docs/openapi-document';
import {
  assertValid,
  describedBodies,
  describedCodes,
  openapi,
  published,
  queryParameters,
} from '../support/http/openapi';
import { startService } from '../support/service/service';

const byRoute = (one: { readonly route: string }, other: { readonly route: string }) =>
  one.route.localeCompare(other.route);
const withoutNames = (path: string) => path.replace(/:\w+|\{\w+\}/g, '{}');

/** First words of the titles of operations. */
const VERBS = new Set(
  (
    'Accept Add Advance Apply Approve Cancel Change Check Clear Create Decide Delete Disconnect Discover Export Get Import Inject Issue List Quote ' +
    'Pause Plan Propose Register Reject Release Remove Renew Replace Request Restore Resume Retry Revoke Roll Rotate Search Send Set Switch Transfer Turn Withdraw Undo'
  ).split(' '),
);

/** How a sample in each language is run. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  curl: ['sh', '-c'],
  JavaScript: [process.execPath, '--input-type=module', '-e'],
  Python: ['python3', '-c'],
};

/** The served document has samples that the file does not have. */
const withoutSamples = (document: typeof openapi) => ({
  ...document,
  paths: {
    ...document.paths,
    ...mapValues(ownPaths(document), (operations) =>
      Object.fromEntries(
        Object.entries(operations).map(([method, { ...operation }]) => {
          Reflect.deleteProperty(operation, 'x-codeSamples');
          return [method, operation];
        }),
      ),
    ),
  },
});

describe('the OpenAPI document', () => {
  it('describes the routes of the route table and no others', () => {
    const routes = API_ROUTES.map(([method, path]) => `${method} /api${withoutNames(path)}`);
    const described = Object.entries(openapi.paths)
      .filter(([path]) => path.startsWith('/api/'))
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${withoutNames(path)}`));

    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  it('documents the errors that precede each route', () => {
    for (const [method, path] of API_ROUTES) {
      const [, operations] =
        Object.entries(openapi.paths).find(([template]) => withoutNames(template) === `/api${withoutNames(path)}`) ??
        [];
      const statuses = Object.keys(operations?.[method]?.responses ?? {});
      const takesBody = method === 'post' || method === 'put';
      const early = ['400', '401', '403', '429', '500', '503', ...(takesBody ? ['413', '415'] : [])];

      expect({
        method,
        path,
        early: statuses.filter((status) => ['403', '413', '415', ...early].includes(status)),
      }).toEqual({ method, path, early: early.toSorted() });
    }
  });

  it('documents the Idempotency-Key on every route that changes something, and on no other', () => {
    const named = Object.entries(openapi.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { parameters = [] }]) =>
        parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')) ? [`${method} ${withoutNames(path)}`] : [],
      ),
    );

    expect(named.toSorted()).toEqual(
      API_ROUTES.filter(isWrite)
        .map(([method, path]) => `${method} /api${withoutNames(path)}`)
        .toSorted(),
    );
  });

  it('describes the query parameters that each route accepts, and no others', () => {
    const described = Object.entries(openapi.paths)
      .filter(([path]) => path.startsWith('/api/'))
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, { parameters = [] }]) => ({
          route: `${method} /api${withoutNames(path).slice('/api'.length)}`,
          query: queryParameters(parameters),
        })),
      );
    const accepted = API_ROUTES.map(([method, path, , , { query = [] } = {}]) => ({
      route: `${method} /api${withoutNames(path)}`,
      query: query.toSorted(),
    }));

    expect(described.toSorted(byRoute)).toEqual(accepted.toSorted(byRoute));
  });

  it('has a valid example of every body', () => {
    const bodies = describedBodies();

    expect(bodies.length).toBeGreaterThan(API_ROUTES.length);
    for (const { pointer, examples } of bodies) {
      expect({ pointer, count: examples.length }).not.toEqual({ pointer, count: 0 });
      for (const example of examples) assertValid(pointer, example);
    }
  });

  it('detects a response that it does not describe', () => {
    const headers = { 'content-type': 'application/json', 'x-request-id': 'r-1' };
    const good: SentResponse = { method: 'GET', address: '/api/domains?limit=1', status: 200, headers, body: '[]' };

    expect(() => assertDocumented(good)).not.toThrow();
    expect(() => assertDocumented({ ...good, body: '[{"id":"dom_1"}]' })).toThrow('does not describe');
    expect(() => assertDocumented({ ...good, status: 418 })).toThrow('is not described with the status 418');
    expect(() => assertDocumented({ ...good, address: '/api/nothing' })).toThrow(
      'is not described with the status 200',
    );
    expect(() => assertDocumented({ ...good, headers: { 'content-type': 'application/json' } })).toThrow(
      'lacks the header x-request-id',
    );
    expect(() => assertDocumented({ ...good, headers: { ...headers, 'ratelimit-limit': 'many' } })).toThrow(
      'has an invalid header ratelimit-limit: many',
    );
    expect(() => assertDocumented({ ...good, headers: { ...headers, 'zone-version': '1' } })).toThrow(
      'is not described with the headers zone-version',
    );
  });

  it('has a verb at the start of each title of an operation', () => {
    const titles = [...new Set(Object.values(openapi.paths))].flatMap((operations) =>
      Object.values(operations).map(({ summary }) => summary),
    );

    expect(titles.length).toBeGreaterThan(70);
    expect(titles.filter((title) => !VERBS.has(title.split(' ')[0] ?? ''))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('lists every error code with its status', () => {
    const answered = new Map(Object.entries(INTERFACE_ERRORS).map(([code, { status }]) => [code, new Set([status])]));

    expect(describedCodes()).toEqual(answered);
    expect(openapi.components.schemas.ErrorCode.enum.toSorted()).toEqual(Object.keys(INTERFACE_ERRORS).toSorted());
  });

  it('shares its table of error codes with docs/api/errors.md', () => {
    const table = [
      '| Status | Code | Meaning |',
      '|---|---|---|',
      ...Object.entries(INTERFACE_ERRORS).map(([code, { status, meaning }]) => `| ${status} | ${code} | ${meaning} |`),
    ];

    expect(readFileSync(join(__dirname, '../../docs/api/errors.md'), 'utf8')).toContain(table.join('\n'));
  });

  it('shares the costs of requests with docs/api/rate-limits.md', () => {
    const page = readFileSync(join(__dirname, '../../docs/api/rate-limits.md'), 'utf8');
    const documented = [...page.matchAll(/^\| (\d+) \| `([A-Z]+ \S+)` \|$/gm)].map(
      ([, cost, request = '']) => `${cost} ${withoutNames(request)}`,
    );
    const costs = API_ROUTES.flatMap(([method, path, , , { cost } = {}]) =>
      cost === undefined
        ? []
        : [
            `${cost} ${method.toUpperCase()} ${withoutNames(`/api${path}`.replace(/^\/api\/(?:domains|zones)\/:id/, '…'))}`,
          ],
    );

    expect(documented.toSorted()).toEqual([...new Set(costs)].toSorted());
  });

  it('names the scope of each route', () => {
    const named = Object.entries(openapi.paths)
      .filter(([path]) => path.startsWith('/api/'))
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, { description = '' }]) => [
          `${method} ${withoutNames(path)}`,
          /Requires\s(\w+)\sscope/.exec(description)?.[1],
        ]),
      );

    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(API_ROUTES.map(([method, path, scope]) => [`${method} /api${withoutNames(path)}`, scope])),
    );
  });

  it('is served as pages whose policy forbids inline and external resources', async () => {
    const service = await startService();
    try {
      for (const page of ['/docs', '/docs/', '/docs/api-keys']) {
        const { text, headers } = await request(service.server).get(page).expect(200).expect('Content-Type', /html/);
        expect(headers['content-security-policy']).toMatch(/^default-src 'none';script-src 'self';style-src 'self';/);
        expect(text).not.toMatch(/<style|<script>| style=/);
        const assets = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset);
        expect(assets).toHaveLength(6);
        for (const asset of assets) await request(service.server).get(asset).expect(200);
        await request(service.server)
          .get(page)
          .set('If-None-Match', headers['etag'] ?? '')
          .expect(304);
      }
      await request(service.server).get('/docs/unknown').expect(404);
    } finally {
      await service.stop();
    }
  });

  it('is served without a key, as are the health checks', async () => {
    const service = await startService();
    try {
      const { body } = await request(service.server).get('/openapi.json').expect(200);
      expect(withoutSamples(body)).toEqual(published);
      for (const path of ['/healthz', '/readyz']) {
        await request(service.server).get(path).expect(200);
      }
    } finally {
      await service.stop();
    }
  });

  it('has samples in curl, JavaScript and Python for every operation, and those run', async () => {
    const service = await startService();
    try {
      const { body } = await request(service.server).get('/openapi.json').expect(200);
      const samples = (path: string, method: string): readonly { label: string; source: string }[] =>
        body.paths[path][method]['x-codeSamples'];
      for (const [path, operations] of Object.entries(ownPaths(published)))
        for (const method of Object.keys(operations)) {
          expect(samples(path, method).map(({ label }) => label)).toEqual(['curl', 'JavaScript', 'Python']);
          for (const { source } of samples(path, method)) expect(source).not.toMatch(/\/\{|undefined/);
        }
      const key = await service.key(await service.account());
      const { port } = service.server.address() as AddressInfo;
      const env = { PATH: process.env['PATH'], URL: `http://127.0.0.1:${port}`, KEY: key };
      const ran = [
        samples('/api/record-templates', 'post'),
        samples('/api/domains/search', 'post'),
        samples('/healthz', 'get'),
      ].flat();
      const outputs = await Promise.all(
        ran.map(async ({ label, source }) => {
          const [program, ...options] = COMMANDS[label] ?? ['false'];
          return (await promisify(execFile)(program ?? 'false', [...options, source], { env })).stdout;
        }),
      );
      for (const [index, fact] of ['Our web servers', 'available', 'ok'].entries())
        for (const output of outputs.slice(index * 3, index * 3 + 3)) expect(output).toContain(fact);
    } finally {
      await service.stop();
    }
  });

  it('is read-only, as are the health checks', async () => {
    const service = await startService();
    try {
      for (const path of ['/openapi.json', '/docs', '/healthz', '/readyz']) {
        const { body } = await request(service.server).post(path).expect(405).expect('Allow', 'GET, HEAD');
        expect(body.error.code).toBe('METHOD_NOT_ALLOWED');
      }
    } finally {
      await service.stop();
    }
  });
});
