import { connectingTo } from '../../../../src/infrastructure/persistence/database/mysql/connecting-to';

const URL = 'mysql://ada:hunter2@db.example:3307/names';
const failed = (facts: object) => Promise.reject(Object.assign(new Error("Access denied for user 'ada'"), facts));

describe('connecting to MySQL', () => {
  it('returns the result of the connection', async () => {
    expect(await connectingTo(URL, Promise.resolve('connected'))).toBe('connected');
  });

  it.each([
    ['ECONNREFUSED', 'cannot be reached'],
    ['ETIMEDOUT', 'cannot be reached'],
    ['ENOTFOUND', 'cannot be reached'],
    ['ER_ACCESS_DENIED_ERROR', 'rejects the user name or the password'],
    ['ER_DBACCESS_DENIED_ERROR', 'denies the user access to the database'],
    ['ER_BAD_DB_ERROR', 'has no such database'],
    ['ER_CON_COUNT_ERROR', 'has too many connections'],
  ])('says, if it fails with %s, where, why and what to look at, and neither user nor password', async (code, why) => {
    await expect(connectingTo(URL, failed({ code }))).rejects.toMatchObject({
      message: `MySQL at db.example:3307 ${why} (${code}): see DATABASE_URL`,
    });
  });

  it('uses the default port, and writes IPv6 addresses as in a URL', async () => {
    await expect(
      connectingTo('mysql://ada:hunter2@[2001:db8::1]/names', failed({ code: 'ECONNREFUSED' })),
    ).rejects.toThrow('MySQL at [2001:db8::1]:3306 cannot be reached (ECONNREFUSED)');
  });

  it('names all addresses of a host by their common code', async () => {
    await expect(
      connectingTo(URL, Promise.reject(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))),
    ).rejects.toThrow('cannot be reached (ECONNREFUSED)');
  });

  it('has no reason if the driver gives none', async () => {
    await expect(connectingTo(URL, failed({ fatal: true }))).rejects.toMatchObject({
      message: 'MySQL at db.example:3307 cannot be reached: see DATABASE_URL',
    });
  });

  it('leaves failures about anything else as they are', async () => {
    const failure = Object.assign(new Error('You have an error in your SQL syntax'), { code: 'ER_PARSE_ERROR' });

    await expect(connectingTo(URL, Promise.reject(failure))).rejects.toBe(failure);
  });
});
