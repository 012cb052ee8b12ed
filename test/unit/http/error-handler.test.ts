import type { Request, Response } from 'express';
import { StorageFailing } from '../../../src/application/ports/storage/storage-failing';
import { StorageUnavailable } from '../../../src/application/ports/storage/storage-unavailable';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { errorHandler } from '../../../src/http/api/middleware/error-handler';
import { RecordingLog } from '../../support/fakes/recording-log';

type State = Pick<Response, 'headersSent' | 'writableEnded'> &
  Partial<Pick<Request, 'complete'>> & { readonly socket?: { readonly destroyed: boolean } };

function handled(error: Error, { headersSent, writableEnded, complete = true, socket }: State) {
  const log = new RecordingLog();
  const answer = { destroyed: false, status: 0, headers: {} as Record<string, string>, body: undefined as unknown };
  const res = {
    headersSent,
    writableEnded,
    socket,
    destroy: () => (answer.destroyed = true),
    setHeader: (name: string, value: string) => (answer.headers[name] = value),
    status: (status: number) => {
      answer.status = status;
      return { json: (body: unknown) => (answer.body = body) };
    },
  };
  errorHandler(log)(error, { path: '/api/domains', complete } as Request, res as unknown as Response, () => undefined);
  return { ...answer, log: log.entries.map(({ level }) => level) };
}

describe('a failure', () => {
  it('cuts an answer short that is under way, so that nobody takes it for whole', () => {
    expect(handled(new StorageUnavailable(), { headersSent: true, writableEnded: false })).toMatchObject({
      destroyed: true,
      log: ['error'],
    });
  });

  it('calls nobody where the client has gone in the middle of an answer', () => {
    const hangUp = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });

    expect(handled(hangUp, { headersSent: true, writableEnded: false })).toMatchObject({ destroyed: true, log: [] });
  });

  it.each([
    ['while it sent its request', false],
    ['while it read a response', true],
  ])('is not an ERROR if the client closed its connection %s', (_when, headersSent) => {
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
  ])('is the sender’s with %s, and calls nobody', (_what, error, status) => {
    expect(handled(error, { headersSent: false, writableEnded: false })).toMatchObject({ status, log: [] });
  });

  it('is ours with anything else, and calls somebody', () => {
    expect(handled(new TypeError('no'), { headersSent: false, writableEnded: false })).toMatchObject({
      status: 500,
      log: ['error'],
    });
  });

  it('leaves an answer alone that is given, such as that of a page whose session could not be saved', () => {
    expect(handled(new StorageUnavailable(), { headersSent: true, writableEnded: true })).toMatchObject({
      destroyed: false,
      log: ['warn'],
    });
  });

  it('is nobody’s business where the rest of a refused request does not come', () => {
    expect(
      handled(new Error('request aborted'), { headersSent: true, writableEnded: true, complete: false }),
    ).toMatchObject({ destroyed: false, status: 0, log: [] });
  });

  it('is explained at a bounded length, whatever was sent to cause it', () => {
    const { body } = handled(ValidationError.of('name', 'x'.repeat(10_000)), {
      headersSent: false,
      writableEnded: false,
    });

    expect(body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: expect.stringMatching(/^name x{3995}$/) },
    });
  });

  it('calls a person where the database cannot write', () => {
    expect(handled(new StorageFailing(), { headersSent: false, writableEnded: false })).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '2' },
      log: ['error'],
    });
    expect(handled(new StorageUnavailable(), { headersSent: false, writableEnded: false })).toMatchObject({
      status: 503,
      log: [],
    });
  });
});
