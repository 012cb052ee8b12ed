import { createServer, type Server } from 'node:http';
import express from 'express';
import request from 'supertest';
import { expressMessages } from '../../../../src/http/server/express-messages';

describe('requests and responses made for Express', () => {
  const app = express();
  app.enable('case sensitive routing');
  app.get('/', (req, res) => {
    res.json({ path: req.path, setting: req.app.enabled('case sensitive routing') && res.app === app });
  });
  let server: Server;
  beforeEach(() => {
    server = createServer(expressMessages(app), app);
  });
  afterEach(() => server.close());

  it('have Express’s prototypes in advance, so that Express does not set them', async () => {
    const before: unknown[] = [];
    server.prependListener('request', (req, res) =>
      before.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res)),
    );

    await request(server).get('/').expect(200);

    expect(before).toHaveLength(2);
    expect(before[0]).toBe(app.request);
    expect(before[1]).toBe(app.response);
  });

  it('behave like those that Express prepares', async () => {
    const { body } = await request(server).get('/').expect(200);

    expect(body).toEqual({ path: '/', setting: true });
  });
});
