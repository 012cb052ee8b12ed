import { Readable } from 'node:stream';
import type SmtpConnection from 'nodemailer/lib/smtp-connection';
import type { Mailer, MailOutcome, OutgoingMail } from '../../application/ports/notices/mails-and-notices';
import type { MailSender, MailServer } from '../../config/mail-values';
import { isEmailAddress } from '../../domain/shared/email-address';
import { mimeOf } from './mime-of';

const CONNECT_MS = 20_000;
const SILENCE_MS = 60_000;
const TOTAL_MS = 200_000;
const MAX_RESPONSE = 500;

/** What the server says of the recipient or of the mail. Before, it speaks of the sender or the connection. */
const ABOUT_THE_MAIL: readonly unknown[] = ['RCPT TO', 'DATA'];

class Withdrawn extends Error {}

interface SmtpError extends Error {
  readonly responseCode?: number;
  readonly response?: string;
  /** Of the session, such as `RCPT TO`. */
  readonly command?: string;
}

/** Opens a connection for each mail. The text is a stream, which SMTP reads after the server has said 354. */
export class SmtpMailer implements Mailer {
  constructor(
    private readonly server: MailServer,
    private readonly from: MailSender,
    /** PEM, besides the public ones. */
    private readonly authorities?: string,
  ) {}

  async send(mail: OutgoingMail, beforeContent: () => Promise<boolean>): Promise<MailOutcome> {
    if (!isEmailAddress(mail.to)) return { kind: 'refused', response: 'The address is invalid' };
    let hasStarted = false;
    const start = async (): Promise<void> => {
      if (!(await beforeContent())) throw new Withdrawn();
      hasStarted = true;
    };
    let connection: SmtpConnection | undefined;
    try {
      const { default: Connection } = await import('nodemailer/lib/smtp-connection');
      const opened = (connection = new Connection(this.options()));
      const timer = setTimeout(() => opened.emit('error', new Error('The mail server took too long')), TOTAL_MS);
      const response = await this.deliver(opened, mail, start).finally(() => clearTimeout(timer));
      opened.quit();
      return { kind: 'sent', response: shortened(response) };
    } catch (error) {
      connection?.close();
      return outcomeOf(error as SmtpError, hasStarted);
    }
  }

  private async deliver(connection: SmtpConnection, mail: OutgoingMail, start: () => Promise<void>): Promise<string> {
    // After the callbacks, errors come as events.
    const failure = new Promise<never>((_resolve, reject) => connection.on('error', reject));
    failure.catch(() => undefined);
    const step = (run: (done: (error?: Error | null) => void) => void): Promise<void> =>
      Promise.race([
        failure,
        new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve()))),
      ]);
    await step((done) => connection.connect(done));
    const { credentials } = this.server;
    if (credentials)
      await step((done) => connection.login({ user: credentials.user, pass: credentials.password }, done));
    const message = await mimeOf(mail, this.from);
    let response = '';
    await step((done) => {
      const envelope = { from: this.from.address, to: [mail.to], size: message.length };
      connection.send(envelope, contentOf(message, start), (error, info) => {
        response = info?.response ?? '';
        done(error);
      });
    });
    return response;
  }

  private options() {
    const { host, port, tls } = this.server;
    return {
      host,
      port,
      secure: tls === 'implicit',
      requireTLS: tls === 'starttls',
      ignoreTLS: tls === 'off',
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      tls: { rejectUnauthorized: true, ...(this.authorities !== undefined && { ca: this.authorities }) },
    };
  }
}

function contentOf(message: Buffer, start: () => Promise<void>): Readable {
  return Readable.from(
    (async function* () {
      await start();
      yield message;
    })(),
    { objectMode: false },
  );
}

function outcomeOf(error: SmtpError, hasStarted: boolean): MailOutcome {
  if (error instanceof Withdrawn) return { kind: 'withdrawn' };
  const { responseCode = 0, command } = error;
  const response = shortened(error.response ?? error.message);
  const isAboutTheMail = hasStarted || ABOUT_THE_MAIL.includes(command);
  if (responseCode >= 500 && isAboutTheMail) return { kind: 'refused', response };
  if (responseCode >= 400) return { kind: 'deferred', response, isOutage: !isAboutTheMail };
  return hasStarted ? { kind: 'unknown', response } : { kind: 'deferred', response, isOutage: true };
}

/** A server may say anything. */
function shortened(response: string): string {
  return response
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MAX_RESPONSE);
}
