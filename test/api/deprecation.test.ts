import express from 'express';
import request from 'supertest';
import { Log } from '../../src/application/ports/system';
import { ApiAuthentication } from '../../src/http/api/api-authentication';
import { ApiHandlers } from '../../src/http/api/api-handlers';
import { ApiRouter } from '../../src/http/api/api-router';
import type { Route } from '../../src/http/api/route';
import { errorHandler } from '../../src/http/shared/error-handler';
import { ok } from '../../src/http/shared/result';
import { API_ROUTES } from '../support/http/api-routes';
import { openapi } from '../support/http/openapi';
import { startService } from '../support/service/service';

const since = new Date('2026-12-01T00:00:00Z');
const removal = new Date('2027-06-01T00:00:00Z');
const routes: readonly Route[] = [
  ['get', '/former', 'READ', async () => ok({}), { deprecated: { since, removal } }],
  ['get', '/current', 'READ', async () => ok({})],
];

describe('a deprecated route', () => {
  it('says in every response since when, and when it is removed', async () => {
    const service = await startService();
    try {
      const { container } = service;
      const router = new ApiRouter(container.get(ApiAuthentication), container.get(ApiHandlers), routes);
      const app = express().use('/api', router.router, errorHandler(container.get<Log>(Log)));
      const key = await service.key(await service.account());
      const read = (path: string, token: string) => request(app).get(path).auth(token, { type: 'bearer' });

      for (const [token, status] of [
        [key, 200],
        ['unknown', 401],
      ] as const)
        await read('/api/former', token)
          .expect(status)
          .expect('Deprecation', '@1796083200')
          .expect('Sunset', 'Tue, 01 Jun 2027 00:00:00 GMT');
      const { headers } = await read('/api/current', key).expect(200);
      expect(headers).not.toHaveProperty('deprecation');
      expect(headers).not.toHaveProperty('sunset');
    } finally {
      await service.stop();
    }
  });

  it('is deprecated in the OpenAPI document', () => {
    const described = Object.entries(openapi.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { deprecated = false }]) =>
        deprecated ? [`${method} ${path.replace(/\{\w+\}/g, '{}')}`] : [],
      ),
    );
    const marked = API_ROUTES.flatMap(([method, path, , , { deprecated } = {}]) =>
      deprecated ? [`${method} /api${path.replace(/:\w+/g, '{}')}`] : [],
    );

    expect(described.toSorted()).toEqual(marked.toSorted());
  });
});
