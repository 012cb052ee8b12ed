import { runInNewContext } from 'node:vm';
import { QueryFailedError } from 'typeorm';
import {
  isConnectionLoss,
  isDeadlock,
  isDiskFailure,
  isDuplicate,
} from '../../../../src/infrastructure/persistence/database/database-errors';

const coded = (code: string) => Object.assign(new Error('any text'), { code });

it.each(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])(
  'recognizes %s as a duplicate, also when wrapped',
  (code) => {
    expect(isDuplicate(coded(code))).toBe(true);
    expect(isDuplicate(new QueryFailedError('INSERT', [], coded(code)))).toBe(true);
  },
);

it("knows a driver's error that was made in another realm", () => {
  const foreign: unknown = runInNewContext(
    'Object.assign(new Error("any text"), { code: "SQLITE_CONSTRAINT_UNIQUE" })',
  );

  expect(foreign).not.toBeInstanceOf(Error);
  expect(isDuplicate(new QueryFailedError('INSERT', [], foreign as Error))).toBe(true);
});

it('tells deadlocks and lost connections apart, and takes neither for a duplicate', () => {
  expect([isDeadlock, isConnectionLoss, isDuplicate].map((judge) => judge(coded('ER_LOCK_DEADLOCK')))).toEqual([
    true,
    false,
    false,
  ]);
  expect([isDeadlock, isConnectionLoss, isDuplicate].map((judge) => judge(coded('ECONNRESET')))).toEqual([
    false,
    true,
    false,
  ]);
});

it('treats the end of a connection as its loss, even without a code', () => {
  const fatal = Object.assign(new Error('any text'), { fatal: true });

  expect([
    isConnectionLoss(fatal),
    isConnectionLoss(new QueryFailedError('SELECT', [], fatal)),
    isConnectionLoss(Object.assign(new Error('any text'), { fatal: false })),
  ]).toEqual([true, true, false]);
});

it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL'])(
  'takes %s for a disk that fails, and for nothing else',
  (code) => {
    expect([isDiskFailure, isDeadlock, isConnectionLoss, isDuplicate].map((judge) => judge(coded(code)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  },
);

it.each([undefined, null, 'ER_DUP_ENTRY', new Error('ER_DUP_ENTRY'), { code: 1062 }])(
  'goes by codes, never by texts: %p',
  (error) => {
    expect([isDeadlock, isConnectionLoss, isDiskFailure, isDuplicate].map((judge) => judge(error))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  },
);
