import { inject, injectable } from '../ports/inject';
import { sendUntil, type NewMail } from '../../domain/access/notices/mail';
import { MAIL_RULES, type MailAudience, type StoredNotice } from '../../domain/access/notices/notice';
import { limitsOfUser, ROLE_ACTIONS } from '../../domain/access/people/role';
import type { UserState } from '../../domain/access/people/user';
import { isEmailAddress } from '../../domain/shared/email-address';
import { FactorReader } from '../ports/access/authentication';
import { IdentityReader, UserReader } from '../ports/access/users';
import { MailSettingsReader } from '../ports/notices/mails-and-notices';
import { DomainReader } from '../ports/registration/domain-repository';
import { IdGenerator } from '../ports/system';
import { NoticeSettings } from './notice-settings';
import { ProposalAudience } from './proposal-audience';

/** Two letters are a country's TLD; other TLDs have a contract with ICANN, whose ERRP asks for notices. */
const COUNTRY_TLD = /\.[a-z]{2}$/;

/** Finds who is told of a notice. */
@injectable()
export class NoticeRecipients {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(IdentityReader) private readonly identities: IdentityReader,
    @inject(FactorReader) private readonly factors: Pick<FactorReader, 'ofUser'>,
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'find'>,
    @inject(MailSettingsReader) private readonly settings: MailSettingsReader,
    @inject(NoticeSettings) private readonly operator: Pick<NoticeSettings, 'operatorAddresses'>,
    @inject(ProposalAudience) private readonly proposals: Pick<ProposalAudience, 'of'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
  ) {}

  /** A mail to each of them. Mails that are stored already are among them. */
  async mailsOf(notice: StoredNotice): Promise<readonly NewMail[]> {
    const { accountId } = notice;
    if (MAIL_RULES[notice.kind].audience === 'operator')
      return this.operator.operatorAddresses.map((address, index) =>
        this.mail(notice, { recipient: `operator ${index + 1}`, userId: null, address }),
      );
    if (accountId === null) return [];
    const people = await this.peopleOf(accountId, notice);
    const mails = people.map(({ id, email }) => this.mail(notice, { recipient: id, userId: id, address: email }));
    return [...mails, ...(await this.toRegistrant(accountId, notice, people))];
  }

  private async peopleOf(accountId: string, notice: StoredNotice): Promise<readonly UserState[]> {
    const isTold = await this.audienceOf(accountId, notice);
    const told: UserState[] = [];
    for (const user of await this.users.ofAccount(accountId)) {
      const state = user.toState();
      if (!(await isTold(state))) continue;
      const { switchedOff } = await this.settings.of(state.personId);
      if (MAIL_RULES[notice.kind].isOptional && switchedOff.includes(notice.kind)) continue;
      if (await this.hasJoined(state)) told.push(state);
    }
    return told;
  }

  private async audienceOf(accountId: string, notice: StoredNotice): Promise<(user: UserState) => Promise<boolean>> {
    const { audience } = MAIL_RULES[notice.kind];
    if (audience === 'deciders' || audience === 'proposer') return this.proposals.of(accountId, notice);
    const tags = await this.tagsOf(accountId, notice);
    return async (user) => isAudience(user, audience, { domain: notice.domain, tags });
  }

  /** Of a domain that is gone, nothing is known. */
  private async tagsOf(accountId: string, { domain }: StoredNotice): Promise<readonly string[]> {
    return (domain && (await this.domains.find(accountId, domain.id))?.toState().tags) ?? [];
  }

  /** People who were invited, and have not come, get nothing but their link. */
  private async hasJoined({ personId, passwordHash }: UserState): Promise<boolean> {
    if (passwordHash !== null || (await this.identities.ofPersons([personId])).length > 0) return true;
    return (await this.factors.ofUser(personId)).passkeys.length > 0;
  }

  /** ICANN's ERRP: the registrant of a gTLD domain hears of its expiry, too. */
  private async toRegistrant(
    accountId: string,
    notice: StoredNotice,
    people: readonly UserState[],
  ): Promise<readonly NewMail[]> {
    const { kind, domain } = notice;
    if (kind !== 'expiry' || !domain || COUNTRY_TLD.test(domain.name)) return [];
    const address = (await this.domains.find(accountId, domain.id))?.toState().registrant?.email.toLowerCase() ?? '';
    if (!isEmailAddress(address) || people.some(({ email }) => email === address)) return [];
    return [this.mail(notice, { recipient: 'registrant', userId: null, address })];
  }

  private mail(
    { sequence: _sequence, ...notice }: StoredNotice,
    to: Pick<NewMail, 'recipient' | 'userId' | 'address'>,
  ): NewMail {
    return { id: this.ids.next('mail'), ...notice, ...to, sealedSecret: null, sendUntil: sendUntil(notice.at) };
  }
}

function isAudience(
  user: UserState,
  audience: Exclude<MailAudience, 'deciders' | 'proposer'>,
  { domain, tags }: Pick<StoredNotice, 'domain'> & { readonly tags: readonly string[] },
): boolean {
  if (audience === 'owner') return user.role === 'owner';
  if (audience === 'person' || audience === 'operator') return false;
  const actions = limitsOfUser(user)?.actions ?? ROLE_ACTIONS[user.role];
  return actions.includes(audience) && (!user.tags || (domain !== null && user.tags.some((tag) => tags.includes(tag))));
}
