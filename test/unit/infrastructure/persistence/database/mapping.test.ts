import {
  buffers,
  flag,
  instant,
  integer,
  json,
  key,
  named,
  notInState,
  nullable,
  nullablePartOf,
  optional,
  partOf,
  presence,
  storedIn,
  text,
  varchar,
} from '../../../../../src/infrastructure/persistence/database/columns';
import { mappingOf, rowOf, stateOf, table } from '../../../../../src/infrastructure/persistence/database/table';

const OrderTable = table('orders', {
  id: key(varchar(40)),
  account_id: varchar(40),
  page_cursor: named('cursor', nullable(text())),
  auto_renew: flag(),
  confirmed: nullable(flag()),
  created_at: instant(),
  finished_at: nullable(instant()),
  tags: json<readonly string[]>(),
  limits: nullable(json<{ readonly max: number }>()),
  price_minor: partOf('price', 'minor', integer()),
  price_currency: partOf('price', 'currency', varchar(3)),
  charged_minor: partOf('charged', 'minor', nullable(integer())),
  charged_at: partOf('charged', 'at', nullable(instant())),
  lock_version: notInState(integer()),
  trace_parent: optional(varchar(55)),
  changed_at: optional(instant()),
  transports: storedIn<string, readonly string[]>(varchar(100), {
    read: (list) => list.split(','),
    write: (transports) => transports.join(','),
  }),
});

const AT = new Date('2026-11-28T09:00:00.123Z');
const STATE = {
  id: 'ord_1',
  accountId: 'acc_1',
  cursor: 'next',
  autoRenew: true,
  confirmed: false,
  createdAt: AT,
  finishedAt: AT,
  tags: ['a"b', '\u2028'],
  limits: { max: 3 },
  price: { minor: 999, currency: 'EUR' },
  charged: { minor: 998, at: AT },
  transports: ['usb', 'nfc'],
  traceParent: '00-1',
  changedAt: AT,
};
const ROW = {
  id: 'ord_1',
  account_id: 'acc_1',
  page_cursor: 'next',
  auto_renew: 1,
  confirmed: 0,
  created_at: AT.getTime(),
  finished_at: AT.getTime(),
  tags: '["a\\"b","\u2028"]',
  limits: '{"max":3}',
  price_minor: 999,
  price_currency: 'EUR',
  charged_minor: 998,
  charged_at: AT.getTime(),
  transports: 'usb,nfc',
  trace_parent: '00-1',
  changed_at: AT.getTime(),
};
const NULLS = { cursor: null, confirmed: null, finishedAt: null, limits: null, charged: null };
const NULL_COLUMNS = {
  page_cursor: null,
  confirmed: null,
  finished_at: null,
  limits: null,
  charged_minor: null,
  charged_at: null,
};

function errorOf(row: typeof ROW): unknown {
  try {
    return stateOf(OrderTable, row);
  } catch (error) {
    return error;
  }
}

describe('the mapping of rows to states', () => {
  it('writes each member of a state as its column stores it, and no column that the state does not have', () => {
    expect(rowOf(OrderTable, STATE)).toStrictEqual(ROW);
  });

  it('reads from a row the state that was written', () => {
    expect(stateOf(OrderTable, ROW)).toStrictEqual(STATE);
  });

  it('writes null as NULL in every kind of nullable column', () => {
    expect(rowOf(OrderTable, { ...STATE, ...NULLS })).toStrictEqual({ ...ROW, ...NULL_COLUMNS });
  });

  it('reads NULL as null from every kind of nullable column', () => {
    expect(stateOf(OrderTable, { ...ROW, ...NULL_COLUMNS })).toStrictEqual({ ...STATE, ...NULLS });
  });

  it('reads a member of several columns as null if one of them is NULL', () => {
    expect(stateOf(OrderTable, { ...ROW, charged_at: null }).charged).toBeNull();
  });

  it('keeps a member of which only a part that may be NULL is NULL', () => {
    const zones = table('zones_kept', {
      kept: partOf('kept', 'status', nullable(varchar(20))),
      kept_hosts: nullablePartOf('kept', 'hosts', json<readonly string[]>()),
    });
    const pairs = [
      [{ kept: null }, { kept: null, kept_hosts: null }],
      [{ kept: { status: 'hosted', hosts: null } }, { kept: 'hosted', kept_hosts: null }],
      [{ kept: { status: 'hosted', hosts: ['a'] } }, { kept: 'hosted', kept_hosts: '["a"]' }],
    ] as const;

    for (const [state, row] of pairs) {
      expect(rowOf(zones, state)).toStrictEqual(row);
      expect(stateOf(zones, row)).toStrictEqual(state);
    }
  });

  it('writes NULL for an optional member that is absent, and leaves it absent when it reads NULL', () => {
    const { traceParent: _traceParent, changedAt: _changedAt, ...state } = STATE;
    const row = { ...ROW, trace_parent: null, changed_at: null };

    expect(rowOf(OrderTable, state)).toStrictEqual(row);
    expect(stateOf(OrderTable, row)).toStrictEqual(state);
  });

  it('writes a whole row if it gets the columns that the state does not have', () => {
    expect(rowOf(OrderTable, STATE, { lock_version: 7 })).toStrictEqual({ ...ROW, lock_version: 7 });
  });

  it('takes only the columns of the table from a row, and only the members of the state', () => {
    expect(stateOf(OrderTable, Object.assign({ extra: 1 }, ROW))).toStrictEqual(STATE);
    expect(rowOf(OrderTable, Object.assign({ extra: 1 }, STATE))).toStrictEqual(ROW);
  });

  it('names table and column of a value that is not JSON, without the value', () => {
    const error = errorOf({ ...ROW, limits: '{"max": hunter2' });

    expect(error).toMatchObject({ message: 'orders.limits holds a value that cannot be read' });
    expect(error).not.toHaveProperty('cause');
  });

  it('refuses a column whose name is not a word, because names become source', () => {
    expect(() => table('orders', { 'id, (0)': varchar(40) })).toThrow('orders.id, (0): id, (0) is not a name');
  });

  it('does not compile if a member is missing or has another type', () => {
    const { accountId: _accountId, ...rest } = STATE;
    // @ts-expect-error the account is missing
    expect(rowOf(OrderTable, rest)).toMatchObject({ account_id: undefined });
    // @ts-expect-error a flag is a boolean
    expect(rowOf(OrderTable, { ...STATE, autoRenew: 1 })).toMatchObject({ auto_renew: 1 });
  });
});

describe('columns that do not hold NULL for what is absent', () => {
  const NoteTable = table('notes', {
    id: key(varchar(40)),
    ptr: presence(),
    comment: optional(text()),
    keys: buffers(),
    tags: storedIn<string | null, readonly string[]>(nullable(text()), {
      hasNull: true,
      read: (stored) => stored?.split(',') ?? [],
      write: (tags) => (tags.length === 0 ? null : tags.join(',')),
    }),
  });
  const empty = { id: 'a', ptr: 0, comment: null, keys: '[]', tags: null };
  const full = { id: 'a', ptr: 1, comment: 'c', keys: '["AQI=","Aw=="]', tags: 'x,y' };
  const keys = [Buffer.from([1, 2]), Buffer.from([3])];

  it('store a flag that is absent as 0, and a list that is empty as NULL if their codec says so', () => {
    expect(stateOf(NoteTable, empty)).toEqual({ id: 'a', keys: [], tags: [] });
    expect(rowOf(NoteTable, { id: 'a', keys: [], tags: [] })).toEqual(empty);
    expect(stateOf(NoteTable, full)).toEqual({ id: 'a', ptr: true, comment: 'c', keys, tags: ['x', 'y'] });
    expect(rowOf(NoteTable, { id: 'a', ptr: true, comment: 'c', keys, tags: ['x', 'y'] })).toEqual(full);
  });

  it('store an optional member that is null as NULL', () => {
    expect(rowOf(NoteTable, { id: 'a', comment: null, keys: [], tags: [] })).toEqual(empty);
  });

  it('are mapped without the others for lists that read only some', () => {
    expect(mappingOf(NoteTable, ['id', 'tags']).stateOf({ id: 'a', tags: 'x' })).toEqual({ id: 'a', tags: ['x'] });
  });
});
