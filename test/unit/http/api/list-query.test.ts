import type { ApiRequest } from '../../../../src/http/api/api-request';
import { pageRequest, pageResult, positionCursor } from '../../../../src/http/api/list-query';
import { thrownBy } from '../../../support/thrown-by';

const LAST = { createdAt: new Date('2026-01-01T00:00:00.000Z'), id: 'dom_000001' };

function asked(query: string): Pick<ApiRequest, 'path' | 'query'> {
  const { pathname, searchParams } = new URL(`http://127.0.0.1/domains?${query}`);
  return {
    path: `/api${pathname}`,
    query: Object.fromEntries(
      [...searchParams.keys()].map((name) => [
        name,
        searchParams.getAll(name).length > 1 ? searchParams.getAll(name) : (searchParams.get(name) ?? ''),
      ]),
    ),
  };
}

describe('a page of a list', () => {
  it('is requested by a limit or a cursor, and by no other parameter', () => {
    expect(pageRequest(asked('status=active'))).toBeUndefined();
  });

  it.each(['1', '500'])('accepts a limit of %s', (limit) => {
    expect(pageRequest(asked(`limit=${limit}`))).toEqual({ limit: Number(limit) });
  });

  it.each(['0', '501', '999', '1000', '-1', '1.5', '1e2', '', ' 1', 'all'])('rejects a limit of %j', (limit) => {
    expect(thrownBy(() => pageRequest(asked(`limit=${encodeURIComponent(limit)}`)))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'limit must be an integer from 1 to 500',
    });
  });

  it('continues where the Link of the previous page says, with its filters and limit and without the key', () => {
    const request = asked('limit=2&status=active&token=nw_live_secret');
    const items = [{ ...LAST, id: 'dom_000000' }, LAST];
    const { headers, body } = pageResult(
      { request, filters: ['status'], items, last: LAST, limit: 2, cursorOf: positionCursor },
      ({ id }) => ({ id }),
    );
    const { Link: link = '' } = headers;
    const [, address = ''] = /^<\/api\/domains\?([^>]+)>; rel="next"$/.exec(link) ?? [];

    expect(pageRequest(asked(address))).toEqual({ limit: 2, after: LAST });
    expect(asked(address).query['status']).toBe('active');
    expect(link).not.toContain('token');
    expect(body).toEqual([{ id: 'dom_000000' }, { id: 'dom_000001' }]);
  });

  it('has 100 entries if only a cursor is given', () => {
    const cursor = Buffer.from('1767225600000:dom_000001').toString('base64url');

    expect(pageRequest(asked(`cursor=${cursor}`))).toEqual({ limit: 100, after: LAST });
  });

  it.each(['', 'x', 'x:dom_1', '1:', '1:DOM_1', `1:dom_1' OR 1=1`, `${'9'.repeat(16)}:dom_1`])(
    'rejects the cursor %j',
    (place) => {
      expect(thrownBy(() => pageRequest(asked(`cursor=${Buffer.from(place).toString('base64url')}`)))).toMatchObject({
        details: 'cursor must be one from a Link header',
      });
    },
  );

  it.each(['limit=1&limit=2', 'cursor=a&cursor=b'])('rejects repeated parameters: %s', (query) => {
    expect(thrownBy(() => pageRequest(asked(query)))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.stringContaining('must be given once'),
    });
  });
});
