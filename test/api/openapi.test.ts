import request from 'supertest';
import { apiRoutes } from '../../src/http/api/routes';
import { assertDescribed, assertValid, describedBodies, openapi } from '../support/openapi';
import { startService } from '../support/service';

const controllers = { domains: {}, registration: {}, settings: {}, records: {}, zone: {}, operations: {} } as unknown as Parameters<typeof apiRoutes>[0];
const withoutNames = (path: string) => path.replace(/:\w+|\{\w+\}/g, '{}');

describe('the document', () => {
  it('describes the routes of the table, and no others', () => {
    const routes = apiRoutes(controllers).map(([method, path]) => `${method} /api${withoutNames(path)}`);
    const described = Object.entries(openapi.paths)
      .filter(([path]) => path.startsWith('/api/'))
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${withoutNames(path)}`));

    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  it('has an example of every body, and each is valid', () => {
    for (const { pointer, examples } of describedBodies()) {
      expect({ pointer, count: examples.length }).not.toEqual({ pointer, count: 0 });
      for (const example of examples) assertValid(pointer, example);
    }
  });

  it('tells an answer that it does not describe', () => {
    expect(() => assertDescribed('get', '/api/domains', 200, [{ id: 'dom_1' }])).toThrow('does not describe');
    expect(() => assertDescribed('get', '/api/domains', 418, {})).toThrow('418');
    expect(() => assertDescribed('get', '/api/nothing', 200, {})).toThrow('is not described');
  });

  it('is served as a page, too, which forbids whatever comes from elsewhere', async () => {
    const service = await startService();
    try {
      const { text, headers } = await request(service.server).get('/docs').expect(200).expect('Content-Type', 'text/html; charset=utf-8');
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      for (const [, script = ''] of text.matchAll(/ src="([^"]+)"/g)) {
        await request(service.server).get(script).expect(200).expect('Content-Type', 'text/javascript; charset=utf-8');
      }
    } finally {
      await service.stop();
    }
  });

  it('is served to anyone, beside the state of the service', async () => {
    const service = await startService();
    try {
      const { body } = await request(service.server).get('/openapi.json').expect(200);
      expect(body).toEqual(openapi);
      for (const path of ['/healthz', '/readyz']) {
        const answer = await request(service.server).get(path).expect(200);
        assertDescribed('get', path, answer.status, answer.body);
      }
    } finally {
      await service.stop();
    }
  });
});
