import { createLogger, PinoLog } from '../../../../src/infrastructure/system/pino-log';

function logged(write: (log: PinoLog) => void): string {
  let text = '';
  write(new PinoLog(createLogger('info', { write: (line: string) => void (text += line) })));
  return text;
}

describe('the log', () => {
  it('tells the facts of an error and of its cause', () => {
    const error = new Error('no answer', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    expect(JSON.parse(logged((log) => log.error({ err: error }, 'failed')))).toMatchObject({
      msg: 'failed',
      err: { type: 'Error', message: 'no answer', cause: { message: 'reset', code: 'ECONNRESET' } },
    });
  });

  it('leaves out whatever a library hung on an error', () => {
    const error = Object.assign(new Error('failed'), {
      parameters: ['hunter2'],
      request: { headers: { authorization: 'hunter2' } },
    });
    const text = logged((log) => log.error({ err: error }, 'oops'));

    expect(text).toContain('oops');
    expect(text).not.toContain('hunter2');
  });

  it.each(['warn', 'error'] as const)(
    'is written out at once when somebody should look: by %s, with what came before',
    (level) => {
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
    },
  );

  it('is written out once for a crowd of warnings, and once more for those that came meanwhile', () => {
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

  it('lets no credential out that was logged by mistake', () => {
    const text = logged((log) =>
      log.info({ token: 'hunter2', headers: { authorization: 'hunter2' }, answer: { auth_code: 'hunter2' } }, 'oops'),
    );

    expect(text).toContain('oops');
    expect(text).not.toContain('hunter2');
  });
});
