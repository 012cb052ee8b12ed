import { RepeatedLines } from '../../../../src/infrastructure/system/repeated-lines';

const MINUTE_MS = 60_000;

describe('the folding of repeated log lines', () => {
  let reports: (readonly [path: unknown, count: number])[];
  let lines: RepeatedLines;
  beforeEach(() => {
    jest.useFakeTimers();
    reports = [];
    lines = new RepeatedLines(({ facts }, count) => reports.push([facts['path'], count]));
  });
  afterEach(() => jest.useRealTimers());

  const FULL = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const failing = (path: string, err: Error = FULL) =>
    lines.isFirst({ facts: { err, path }, message: 'the database cannot write' });

  it('passes the first line and reports the number of repetitions after a minute', () => {
    expect(['/a', '/b', '/c'].map((path) => failing(path))).toEqual([true, false, false]);
    expect(reports).toEqual([]);

    jest.advanceTimersByTime(MINUTE_MS);

    expect(reports).toEqual([['/c', 2]]);
  });

  it('reports once a minute while repetitions continue, and passes the first line after a quiet minute', () => {
    failing('/a');
    failing('/b');
    jest.advanceTimersByTime(MINUTE_MS);
    expect(failing('/c')).toBe(false);
    jest.advanceTimersByTime(2 * MINUTE_MS);

    expect(reports).toEqual([
      ['/b', 1],
      ['/c', 1],
    ]);
    expect(failing('/d')).toBe(true);
  });

  it('distinguishes errors by code, message and location', () => {
    const others = [
      Object.assign(new Error('database or disk is full'), { code: 'SQLITE_IOERR' }),
      Object.assign(new Error('another'), { code: 'SQLITE_FULL' }),
      FULL,
    ];

    expect(others.map((error) => failing('/a', error))).toEqual([true, true, true]);
    expect(lines.isFirst({ facts: { err: FULL }, message: 'a request failed' })).toBe(true);
  });

  it('compares lines without an error by their facts', () => {
    const areFirst = ['dom_1', 'dom_2', 'dom_1'].map((domainId) =>
      lines.isFirst({ facts: { domainId }, message: 'the registry does not know a domain' }),
    );

    expect(areFirst).toEqual([true, true, false]);
  });

  it('reports pending repetitions at the end of the process', () => {
    failing('/a');
    failing('/b');

    lines.end();

    expect(reports).toEqual([['/b', 1]]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
