import { quantityText } from '../../../domain/shared/text/quantity-text';
import type { MailReaderContext } from '../../../application/ports/notices/mails-and-notices';
import type { Mail } from '../../../domain/access/notices/mail';
import type { MailKind } from '../../../domain/access/notices/notice';
import { formatDate, formatDateTime } from '../../../domain/shared/time/date-text';
import { toUnicodeName } from '../../../domain/shared/idna';
import type { MailContent, MailPart } from './mail-content';
import { oneLine } from './one-line';

type NoticeMail = Pick<Mail, 'kind' | 'data' | 'domain' | 'at' | 'recipient'>;

/** What a template writes from. */
class Facts {
  constructor(
    private readonly mail: NoticeMail,
    private readonly context: MailReaderContext,
  ) {}

  get isRegistrant(): boolean {
    return this.mail.recipient === 'registrant';
  }

  get name(): string {
    const name = this.mail.domain?.name ?? this.text('name');
    return toUnicodeName(name) ?? name;
  }

  get at(): string {
    return formatDateTime(this.mail.at, this.context.timeZone);
  }

  text(member: string): string {
    const value = this.mail.data[member];
    return typeof value === 'string' || typeof value === 'number' ? oneLine(String(value)) : '';
  }

  number(member: string): number {
    return Number(this.mail.data[member]);
  }

  is(member: string): boolean {
    return this.mail.data[member] === true;
  }

  day(member: string): string {
    return this.format(member, formatDate);
  }

  /** In UTC, as on the pages. */
  registryDay(member: string): string {
    return this.format(member, (date) => formatDate(date));
  }

  time(member: string): string {
    return this.format(member, formatDateTime);
  }

  /** A member of an object, such as the message of an error. */
  part(member: string, name: string): string {
    const value = this.mail.data[member] as Readonly<Record<string, unknown>> | null | undefined;
    const part = value?.[name];
    return typeof part === 'string' ? oneLine(part) : '';
  }

  link(label: string, path: string): MailPart {
    return { link: { label, url: `${this.context.publicUrl}${path}` } };
  }

  domainLink(label: string): MailPart {
    return this.link(label, `/domains/${this.mail.domain?.id ?? ''}`);
  }

  get secret(): string {
    return encodeURIComponent(this.context.secret ?? '');
  }

  private format(member: string, format: (date: Date, timeZone: string) => string): string {
    const date = new Date(this.text(member));
    return Number.isNaN(date.getTime()) ? 'an unknown date' : format(date, this.context.timeZone);
  }
}

type Template = (facts: Facts) => MailContent;

const ENDS: Readonly<Record<string, string>> = {
  'proposal.accepted': 'was accepted',
  'proposal.rejected': 'was rejected',
  'proposal.stale': 'is stale, because the change would do something else now',
  'proposal.failed': 'was accepted and then refused',
  'proposal.expired': 'has expired',
};

const TEMPLATES: Readonly<Record<MailKind, Template>> = {
  expiry,
  renewal_failed: (facts) => ({
    subject: `The renewal of ${facts.name} failed`,
    parts: [
      `The registry did not renew ${facts.name}.`,
      {
        facts: [
          ['Reason', facts.part('error', 'message')],
          ['When', facts.at],
        ],
      },
      'If the name has auto-renewal, the renewal is tried again before the name is deleted. You can also renew it yourself.',
      facts.domainLink('Open the domain'),
    ],
  }),
  registration_refused: (facts) => ({
    subject: `The registration of ${facts.name} was refused`,
    parts: [
      `The registry refused to register ${facts.name}. Nothing was charged.`,
      { facts: [['When', facts.at]] },
      facts.link('Open the activity', `/activity?domain=${encodeURIComponent(facts.name)}`),
    ],
  }),
  transfer_out: (facts) => ({
    subject: `Another registrar has requested the transfer of ${facts.name}`,
    parts: [
      `Someone with the auth code of ${facts.name} has asked another registrar to take it over.`,
      {
        facts: [
          ['Requested', facts.time('requested_at')],
          ['Completes without a rejection', facts.time('ends_at')],
        ],
      },
      'If this was you, there is nothing to do. If not, reject the transfer before that time: afterwards the name belongs to the other registrar.',
      facts.domainLink('Approve or reject the transfer'),
    ],
  }),
  move_offered: (facts) => ({
    subject: `Another account offers you ${facts.name}`,
    parts: [
      `Another account of this service offers ${facts.name} to your account. Nothing changes until someone in your account accepts it.`,
      {
        facts: [
          ['Reason', facts.text('reason') || 'none'],
          ['Offered', facts.at],
        ],
      },
      facts.link('See what your account gets, and decide', `/moves/${facts.text('move_id')}`),
    ],
  }),
  transfer_in,
  key_expiry: (facts) => ({
    subject: `The API key “${facts.text('name')}” expires on ${facts.day('expires_at')}`,
    parts: [
      facts.is('unused')
        ? `The API key “${facts.text('name')}” has not been used for a long time. It expires on ${facts.time('expires_at')} unless it is used before.`
        : `The API key “${facts.text('name')}” expires on ${facts.time('expires_at')}. Programs that use it are refused from then on.`,
      {
        facts: [
          ['Key', facts.text('key_id')],
          ['Scope', facts.text('scope')],
        ],
      },
      facts.link('Open the API keys', '/api-keys'),
    ],
  }),
  webhook_off: (facts) => ({
    subject: `A webhook to ${facts.text('host')} was switched off`,
    parts: [
      `The webhook to ${facts.text('host')} gets no more events. The feed still has them.`,
      {
        facts: [
          ['Reason', facts.text('reason') === 'gone' ? 'It answered 410 Gone' : 'No event could be delivered for days'],
          ['When', facts.at],
        ],
      },
      'Repair the receiver, then switch the webhook on again.',
      facts.link('Open the activity', '/activity'),
    ],
  }),
  proposal_waiting: (facts) => ({
    subject: `A proposal waits for your decision: ${facts.text('reason')}`,
    parts: [
      'A change was proposed. Nothing is changed until someone else accepts it, and you may.',
      {
        facts: [
          ['Reason', facts.text('reason')],
          ['Change', `${facts.text('method')} ${facts.text('path')}`],
          ['Proposed', facts.at],
        ],
      },
      facts.link('See what it would change, and decide', `/proposals/${facts.text('proposal_id')}`),
    ],
  }),
  proposal_ended: (facts) => ({
    subject: `Your proposal ${ENDS[facts.text('type')] ?? 'was decided on'}: ${facts.text('reason')}`,
    parts: [
      `What you, or a key that you made, proposed ${ENDS[facts.text('type')] ?? 'was decided on'}.`,
      {
        facts: [
          ['Reason', facts.text('reason')],
          ['Change', `${facts.text('method')} ${facts.text('path')}`],
          ['Comment', facts.text('comment') || 'none'],
          ['When', facts.at],
        ],
      },
      facts.link('Open the proposal', `/proposals/${facts.text('proposal_id')}`),
    ],
  }),
  sign_in: (facts) => ({
    subject: 'New sign-in to your account',
    parts: [
      'Someone signed in as you with a browser that was not used before.',
      {
        facts: [
          ['When', facts.at],
          ['IP address', facts.text('address')],
          ['Browser', facts.text('browser')],
        ],
      },
      'If this was you, there is nothing to do. If not, end that session and change your password.',
      facts.link('Open the settings', '/settings'),
    ],
  }),
  set_up_link: (facts) => ({
    subject: facts.is('invitation')
      ? `Your invitation to the account ${facts.text('account')}`
      : 'Your link to set a password',
    parts: [
      facts.is('invitation')
        ? `You were invited to the account ${facts.text('account')}. The link sets your password, and works once.`
        : facts.is('reset')
          ? 'Someone, probably you, has forgotten your password. The link sets a new one, works once, and ends all of your sessions.'
          : `An owner of the account ${facts.text('account')} created a link with which you can set your password. It works once.`,
      facts.link('Set your password', `/set-up?token=${facts.secret}`),
      `The link is valid until ${facts.time('until')}. If you did not expect this mail, ignore it.`,
    ],
  }),
  low_balance: (facts) => ({
    subject: `The balance at ${facts.text('registry')} is low`,
    parts: [
      `The registry ${facts.text('registry')} reports a low balance. Registrations and renewals fail when it is used up.`,
      {
        facts: [
          ['Message', facts.text('text') || 'none'],
          ['Sent', facts.time('sent_at')],
        ],
      },
    ],
  }),
};

function expiry(facts: Facts): MailContent {
  const days = facts.number('days');
  const date = facts.registryDay('expires_at');
  const renewal = facts.isRegistrant
    ? 'To keep it, ask the provider that manages the domain for you to renew it.'
    : 'To keep it, renew it in the dashboard.';
  const link = facts.isRegistrant ? [] : [facts.domainLink('Renew the domain')];
  if (days < 0)
    return {
      subject: `${facts.name} has expired`,
      parts: [
        `The domain ${facts.name} expired on ${date}. Its website and mail may have stopped, and it will be deleted.`,
        renewal,
        ...link,
      ],
    };
  return {
    subject: `${facts.name} expires on ${date}`,
    parts: [
      `The domain ${facts.name} expires in ${quantityText(days, 'day')}, on ${date}.`,
      facts.is('auto_renew')
        ? 'Auto-renewal is on: it is renewed before that without your doing, if the payment succeeds.'
        : `Auto-renewal is off: without a renewal, its website and mail stop working. ${renewal}`,
      ...link,
    ],
  };
}

function transfer_in(facts: Facts): MailContent {
  if (facts.text('type') === 'transfer.completed')
    return {
      subject: `${facts.name} was transferred to your account`,
      parts: [`The transfer of ${facts.name} from another registrar is complete.`, facts.domainLink('Open the domain')],
    };
  return {
    subject: `The transfer of ${facts.name} failed`,
    parts: [
      `${facts.name} was not transferred to your account.`,
      {
        facts: [
          ['Reason', facts.text('reason') || 'The registry gives none'],
          ['When', facts.at],
        ],
      },
      facts.link('Open the transfers', '/transfers'),
    ],
  };
}

export function contentOf(mail: NoticeMail, context: MailReaderContext): MailContent {
  return TEMPLATES[mail.kind](new Facts(mail, context));
}
