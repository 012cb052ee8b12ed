import { randomUUID } from 'node:crypto';
import { inject, injectable } from '../ports/inject';
import { retryAt, type Mail } from '../../domain/access/notices/mail';
import { Mailer, type MailOutcome, NoticeReader, type MailResult } from '../ports/notices/mails-and-notices';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, Log } from '../ports/system';
import { emit } from '../shared/observation';
import { Outage } from '../shared/outage';
import { settleAll } from '../shared/settle-all';
import { ComposeMail } from './compose-mail';
import { KeyExpiryNotices } from './key-expiry-notices';
import { NoticeRecipients } from './notice-recipients';
import { NoticeSettings } from './notice-settings';

const EVERY_MS = 1_000;
/** It reads all keys. */
const KEYS_EVERY_MS = 3_600_000;
const NOTICES_AT_ONCE = 100;
const MAILS_AT_ONCE = 4;
/** Longer than a `Mailer` may take for one. */
const CLAIM_MS = 300_000;
const TOO_LATE = 'It could not be sent in time';

/**
 * Addresses notices, and sends the mails that wait: any number of processes at once. A mail is marked before its text goes to the
 * server, and a marked one is never sent again: each person gets a notice at most once, whatever process dies.
 */
@injectable()
export class MailRunner {
  private readonly owner = randomUUID();
  private readonly work: Outage;
  private readonly server: Outage;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;
  /** In monotonic milliseconds. */
  private keysReadAt = -Infinity;

  constructor(
    @inject(KeyExpiryNotices) private readonly keyExpiries: Pick<KeyExpiryNotices, 'runDue'>,
    @inject(NoticeReader) private readonly notices: NoticeReader,
    @inject(NoticeRecipients) private readonly recipients: NoticeRecipients,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'mails' | 'notices'>,
    @inject(ComposeMail) private readonly compose: ComposeMail,
    @inject(Mailer) private readonly mailer: Mailer,
    @inject(NoticeSettings) private readonly settings: Pick<NoticeSettings, 'delivery'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {
    this.work = new Outage(log, 'reading notices and mails');
    this.server = new Outage(log, 'sending mail');
  }

  start(): void {
    if (this.settings.delivery === 'off') return;
    this.timer = setInterval(() => {
      this.running ??= this.runAndLog().finally(() => (this.running = undefined));
    }, EVERY_MS).unref();
  }

  /** Waits for the mails that are being sent. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.isStopping = true;
    await this.running;
  }

  /** Sends all that is due. */
  async runDue(): Promise<void> {
    await this.addressNotices();
    await this.unitOfWork.run(({ mails }) => mails.endAbandoned(this.clock.now()));
    let claimed: readonly Mail[];
    do {
      claimed = await this.claim();
      await settleAll(claimed.map((mail) => this.send(mail)));
    } while (claimed.length > 0 && !this.isStopping);
  }

  private async runAndLog(): Promise<void> {
    try {
      await this.readKeys();
      await this.runDue();
      this.work.recordSuccess();
    } catch (error) {
      this.work.recordFailure(error);
    }
  }

  private async readKeys(): Promise<void> {
    if (performance.now() - this.keysReadAt < KEYS_EVERY_MS) return;
    await this.keyExpiries.runDue();
    this.keysReadAt = performance.now();
  }

  private async addressNotices(): Promise<void> {
    let waiting = await this.notices.waiting(NOTICES_AT_ONCE);
    while (waiting.length > 0 && !this.isStopping) {
      for (const notice of waiting) {
        const mails = await this.recipients.mailsOf(notice);
        await this.unitOfWork.run(async (stores) => {
          await stores.notices.remove(notice.sequence);
          await stores.mails.add(...mails);
        });
      }
      waiting = await this.notices.waiting(NOTICES_AT_ONCE);
    }
  }

  private claim(): Promise<readonly Mail[]> {
    const now = this.clock.now();
    const claim = { owner: this.owner, until: new Date(now.getTime() + CLAIM_MS) };
    return this.unitOfWork.run(({ mails }) => mails.claim(now, MAILS_AT_ONCE, claim));
  }

  private async send(mail: Mail): Promise<void> {
    const { id, kind } = mail;
    const result = mail.sendUntil < this.clock.now() ? this.tooLate() : await this.deliver(mail);
    if (!result) return;
    const keepSecret = this.settings.delivery === 'outbox';
    await this.unitOfWork.run(({ mails }) => mails.finish(id, this.owner, result, keepSecret));
    emit(() => ({ kind: 'mail', notice: kind, outcome: result.status }));
    if (result.status !== 'sent' && result.status !== 'waiting')
      this.log.warn({ mailId: id, notice: kind, outcome: result.status }, 'a mail was not delivered');
  }

  /** Undefined if another process has the mail now. */
  private async deliver(mail: Mail): Promise<MailResult | undefined> {
    const outgoing = await this.compose.execute(mail);
    const outcome = await this.mailer.send(outgoing, () =>
      this.unitOfWork.run(({ mails }) => mails.startContent(mail.id, this.owner)),
    );
    this.observeServer(outcome);
    if (outcome.kind === 'withdrawn') return undefined;
    const now = this.clock.now();
    const { response } = outcome;
    if (outcome.kind !== 'deferred') return { status: outcome.kind, at: now, response };
    const at = retryAt(mail.attempts, now, Math.random());
    return at < mail.sendUntil ? { status: 'waiting', at, response } : { status: 'failed', at: now, response };
  }

  private tooLate(): MailResult {
    return { status: 'failed', at: this.clock.now(), response: TOO_LATE };
  }

  private observeServer(outcome: MailOutcome): void {
    if (outcome.kind === 'deferred' && outcome.isOutage) this.server.recordFailure(new Error(outcome.response));
    else if (outcome.kind === 'sent' || outcome.kind === 'refused') this.server.recordSuccess();
  }
}
