import { inject, injectable } from '../ports/inject';
import type { ApiKey } from '../../domain/access/api-key';
import type { MailNotice } from '../../domain/access/notices/notice';
import { addDays, DAY_MS } from '../../domain/shared/time/calendar';
import { ApiKeyReader } from '../ports/access/accounts-and-api-keys';
import { MailReader } from '../ports/notices/mails-and-notices';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system';

const NOTICE_DAYS = 7;
/** Who makes a key for some days knows when it expires. */
const LEAST_LIFE_MS = 2 * NOTICE_DAYS * DAY_MS;

/** Tells owners of keys that expire within a week, also for lack of use. Nothing of an account changes, so no event has it. */
@injectable()
export class KeyExpiryNotices {
  constructor(
    @inject(ApiKeyReader) private readonly keys: Pick<ApiKeyReader, 'expiring'>,
    @inject(MailReader) private readonly mails: Pick<MailReader, 'knows'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'notices'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Reads all keys. */
  async runDue(): Promise<void> {
    const now = this.clock.now();
    for await (const keys of this.keys.expiring(now, addDays(now, NOTICE_DAYS)))
      for (const key of keys) {
        const notice = noticeOf(key, now);
        if (notice && !(await this.mails.knows(notice.cause)))
          await this.unitOfWork.run(({ notices }) => notices.add(notice));
      }
  }
}

function noticeOf(key: ApiKey, at: Date): MailNotice | undefined {
  const { keyId, accountId, name, scope, createdAt, expiresAt: fixedEnd } = key.toState();
  const { expiresAt } = key;
  if (!expiresAt || expiresAt.getTime() - createdAt.getTime() < LEAST_LIFE_MS) return undefined;
  return {
    kind: 'key_expiry',
    cause: `key_expiry/${keyId}/${expiresAt.getTime()}`,
    at,
    accountId,
    domain: null,
    data: {
      key_id: keyId,
      name,
      scope,
      expires_at: expiresAt.toISOString(),
      unused: fixedEnd?.getTime() !== expiresAt.getTime(),
    },
  };
}
