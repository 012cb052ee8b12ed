import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: string;
  /** As it came: headers, text and HTML. */
  readonly source: string;
  readonly isEncrypted: boolean;
}

interface InboxSettings {
  readonly tls?: { readonly key: string; readonly cert: string; readonly from: 'start' | 'STARTTLS' };
  readonly login?: { readonly user: string; readonly password: string };
}

type Script = (mail: ReceivedMail) => Promise<void> | void;

/** A real SMTP server on a free port of this machine, with what it received. */
export class SmtpInbox {
  readonly received: ReceivedMail[] = [];
  /** Attempts by recipient, those that were refused included. */
  readonly attempts: string[] = [];
  private begun = 0;
  private ended = 0;
  private readonly recipientReplies: number[] = [];
  private readonly scripts: Script[] = [];

  private server: SMTPServer | undefined;
  private listening = 0;
  private readonly sockets = new Set<Socket>();

  static async open({ tls, login }: InboxSettings = {}): Promise<SmtpInbox> {
    const inbox = new SmtpInbox();
    const server = new SMTPServer({
      secure: tls?.from === 'start',
      ...(tls && { key: tls.key, cert: tls.cert }),
      hideSTARTTLS: tls === undefined,
      authOptional: login === undefined,
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, done) =>
        username === login?.user && password === login?.password
          ? done(null, { user: 'sender' })
          : done(Object.assign(new Error('Authentication failed'), { responseCode: 535 })),
      onRcptTo: ({ address }, _session, done) => {
        inbox.attempts.push(address);
        const code = inbox.recipientReplies.shift();
        done(code === undefined ? null : reply(code));
      },
      onData: (stream, { envelope, secure }, done) => {
        inbox.begun += 1;
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
        const end = async () => {
          inbox.ended += 1;
          const source = Buffer.concat(chunks).toString('utf8');
          const mail = { to: envelope.rcptTo[0]?.address ?? '', source, isEncrypted: secure };
          const script = inbox.scripts.shift() ?? ((each) => void inbox.received.push(each));
          done(await answered(script, mail));
        };
        stream.on('end', () => void end());
      },
    });
    // Clients that refuse its certificate, or die.
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.server.on('connection', (socket) => inbox.sockets.add(socket));
    inbox.server = server;
    inbox.listening = (server.server.address() as AddressInfo).port;
    return inbox;
  }

  get port(): number {
    return this.listening;
  }

  /** Texts that have begun, and whose client left before their end. */
  get interrupted(): number {
    return this.begun - this.ended;
  }

  /** The next recipients get this reply. */
  answerRecipient(...codes: readonly number[]): void {
    this.recipientReplies.push(...codes);
  }

  /** The next text gets this reply, and is not kept. */
  answerText(code: number): void {
    this.scripts.push(() => {
      throw reply(code);
    });
  }

  /** The next text is kept, and the client dies before it hears so: `kill` runs instead of the reply. */
  beforeReply(kill: () => Promise<void> | void): void {
    this.scripts.push(async (mail) => {
      this.received.push(mail);
      await kill();
    });
  }

  /** Ends all connections without a word. */
  dropClients(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => (this.server ? this.server.close(resolve) : resolve()));
  }
}

/** What the script throws is the reply. */
async function answered(script: Script, mail: ReceivedMail): Promise<Error | null> {
  try {
    await script(mail);
    return null;
  } catch (error) {
    return error as Error;
  }
}

function reply(code: number): Error {
  return Object.assign(new Error(`Scripted reply ${code}`), { responseCode: code });
}

/** With each header on one line (RFC 5322, 2.2.3). */
export function unfolded(source: string): string {
  const [head = '', ...body] = source.split(/(?=\r?\n\r?\n)/);
  return [head.replace(/\r?\n[ \t]+/g, ' '), ...body].join('');
}

/** The parts of a mail that have this type, decoded. */
export function partOf(source: string, type: 'text/plain' | 'text/html'): string {
  const part = source.split(/\r?\n--/).find((each) => each.includes(`Content-Type: ${type}`)) ?? '';
  const [head = '', ...body] = part.split(/\r?\n\r?\n/);
  const text = body.join('\n\n');
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString('utf8');
  return /quoted-printable/i.test(head) ? fromQuotedPrintable(text) : text;
}

function fromQuotedPrintable(text: string): string {
  const octets = text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return octets.replace(/(?:%[0-9A-F]{2})+/g, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
