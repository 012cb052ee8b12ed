import { createLogger, PinoLog } from '../../../../src/infrastructure/system/pino-log';

function captureLog(write: (log: PinoLog) => void): string {
  let text = '';
  write(new PinoLog(createLogger('info', { write: (line: string) => void (text += line) })));
  return text;
}

describe('the log', () => {
  it('contains type, message and code of an error and of its cause', () => {
    const error = new Error('no answer', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    expect(JSON.parse(captureLog((log) => log.error({ err: error }, 'failed')))).toMatchObject({
      msg: 'failed',
      err: { type: 'Error', message: 'no answer', cause: { message: 'reset', code: 'ECONNRESET' } },
    });
  });

  it('omits other properties of an error, such as headers and SQL parameters', () => {
    const error = Object.assign(new Error('failed'), {
      parameters: ['hunter2'],
      request: { headers: { authorization: 'hunter2' } },
    });
    const text = captureLog((log) => log.error({ err: error }, 'oops'));

    expect(text).toContain('oops');
    expect(text).not.toContain('hunter2');
  });

  it.each(['warn', 'error'] as const)('is flushed at once by %s, with the lines before it', (level) => {
    const waiting: string[] = [];
    let written = '';
    const destination = {
      write: (line: string) => void waiting.push(line),
      flush: () => void (written += waiting.splice(0).join('')),
    };
    const log = new PinoLog(createLogger('info', destination));

    log.info({}, 'first');
    expect(written).toBe('');
    log[level]({}, 'then');

    expect(
      written
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    ).toEqual(['first', 'then']);
  });

  it('is flushed once for a burst of warnings, and once more for those during the flush', () => {
    const flushes: (() => void)[] = [];
    const destination = { write: () => undefined, flush: (done: () => void) => void flushes.push(done) };
    const log = new PinoLog(createLogger('info', destination));

    for (let count = 0; count < 20; count += 1) log.warn({}, 'one of many');
    expect(flushes).toHaveLength(1);
    flushes[0]?.();

    expect(flushes).toHaveLength(2);
    flushes[1]?.();
    expect(flushes).toHaveLength(2);
    log.error({}, 'later');
    expect(flushes).toHaveLength(3);
  });

  it('redacts credentials that are logged by mistake', () => {
    const text = captureLog((log) =>
      log.info({ token: 'hunter2', headers: { authorization: 'hunter2' }, answer: { auth_code: 'hunter2' } }, 'oops'),
    );

    expect(text).toContain('oops');
    expect(text).not.toContain('hunter2');
  });
});
