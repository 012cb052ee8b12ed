import type { Request, Response } from 'express';
import { StorageFailing, StorageUnavailable } from '../../../../src/application/ports/storage/storage-unavailable';
import { ValidationError } from '../../../../src/domain/shared/validation-error';
import { errorHandler } from '../../../../src/http/shared/error-handler';
import { RecordingLog } from '../../../support/fakes/recording-log';

type State = Pick<Response, 'headersSent' | 'writableEnded'> &
  Partial<Pick<Request, 'complete'>> & { readonly socket?: { readonly destroyed: boolean } };

function handled(error: Error, { headersSent, writableEnded, complete = true, socket }: State) {
  const log = new RecordingLog();
  const response = { destroyed: false, status: 0, headers: {} as Record<string, string>, body: undefined as unknown };
  const res = {
    headersSent,
    writableEnded,
    socket,
    destroy: () => (response.destroyed = true),
    req: { fresh: false },
    set statusCode(status: number) {
      response.status = status;
    },
    setHeader: (name: string, value: string) => (response.headers[name] = value),
    end: (body: Buffer) => (response.body = JSON.parse(body.toString())),
  };
  errorHandler(log)(error, { path: '/api/domains', complete } as Request, res as unknown as Response, () => undefined);
  return { ...response, log: log.entries.map(({ level }) => level) };
}

describe('the error handler', () => {
  it('aborts a response that has begun, so that no client takes it for complete', () => {
    expect(handled(new StorageUnavailable(), { headersSent: true, writableEnded: false })).toMatchObject({
      destroyed: true,
      log: ['error'],
    });
  });

  it('logs no error if the client disconnects in the middle of a response', () => {
    const hangUp = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });

    expect(handled(hangUp, { headersSent: true, writableEnded: false })).toMatchObject({ destroyed: true, log: [] });
  });

  it.each([
    ['while it sent its request', false],
    ['while it read a response', true],
  ])('logs no error if the client closed its connection %s', (_when, headersSent) => {
    const closed = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

    expect(handled(closed, { headersSent, writableEnded: false, socket: { destroyed: true } })).toMatchObject({
      log: [],
    });
    expect(handled(closed, { headersSent, writableEnded: false, socket: { destroyed: false } })).toMatchObject({
      log: ['error'],
    });
  });

  it.each([
    ['an address that cannot be decoded', new URIError('URI malformed'), 400],
    ['a body that ends too early', Object.assign(new Error('request aborted'), { status: 400 }), 400],
    ['a body that is too long', Object.assign(new Error('request entity too large'), { status: 413 }), 413],
    ['a body in an unknown charset', Object.assign(new Error('unsupported charset "FOO"'), { status: 415 }), 415],
  ])('blames the sender for %s and logs no error', (_what, error, status) => {
    expect(handled(error, { headersSent: false, writableEnded: false })).toMatchObject({ status, log: [] });
  });

  it('responds 500 to any other error and logs it', () => {
    expect(handled(new TypeError('no'), { headersSent: false, writableEnded: false })).toMatchObject({
      status: 500,
      log: ['error'],
    });
  });

  it('leaves a finished response alone, such as a page whose session could not be saved', () => {
    expect(handled(new StorageUnavailable(), { headersSent: true, writableEnded: true })).toMatchObject({
      destroyed: false,
      log: ['warn'],
    });
  });

  it('ignores that the rest of a refused request does not arrive', () => {
    expect(
      handled(new Error('request aborted'), { headersSent: true, writableEnded: true, complete: false }),
    ).toMatchObject({ destroyed: false, status: 0, log: [] });
  });

  it('limits the length of details', () => {
    const { body } = handled(ValidationError.of('name', 'x'.repeat(10_000)), {
      headersSent: false,
      writableEnded: false,
    });

    expect(body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: expect.stringMatching(/^name x{3995}$/) },
    });
  });

  it('logs an error if the database cannot write, and a warning if it is slow or away', () => {
    expect(handled(new StorageFailing(), { headersSent: false, writableEnded: false })).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '2' },
      log: ['error'],
    });
    expect(handled(new StorageUnavailable(), { headersSent: false, writableEnded: false })).toMatchObject({
      status: 503,
      log: ['warn'],
    });
  });
});
