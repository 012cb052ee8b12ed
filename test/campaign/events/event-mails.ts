import { setTimeout as sleep } from 'node:timers/promises';
import { partOf, type SmtpInbox } from '../../support/mail/smtp-inbox';

/** The claim of a killed process ends after five minutes. */
const LAST_AFTER_MS = 330_000;
const MAX_SHOWN = 5;

/** Each refused registration has one mail. One whose text a kill has interrupted may lack it. */
export async function mailDifferences(inbox: SmtpInbox, refused: readonly string[]): Promise<readonly string[]> {
  const since = performance.now();
  const mailsOf = (name: string) =>
    inbox.received.filter(({ source }) => partOf(source, 'text/plain').includes(name)).length;
  const missing = () => refused.filter((name) => mailsOf(name) === 0);
  while (missing().length > inbox.interrupted && performance.now() - since < LAST_AFTER_MS) await sleep(100);
  const lost = missing();
  return [
    ...(lost.length > inbox.interrupted ? lost.map((name) => `no mail tells of ${name}`) : []),
    ...refused.filter((name) => mailsOf(name) > 1).map((name) => `${mailsOf(name)} mails tell of ${name}`),
    ...(inbox.received.length > refused.length ? [`${inbox.received.length} mails came`] : []),
  ].slice(0, MAX_SHOWN);
}
