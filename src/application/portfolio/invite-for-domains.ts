import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertWholeAccountAllowed } from '../../domain/access/key-permissions';
import type { Role } from '../../domain/access/people/role';
import { tagTerm } from '../../domain/portfolio/domain-terms';
import { EMAIL_EXPECTATION, isEmailAddress } from '../../domain/shared/email-address';
import { toAsciiName } from '../../domain/shared/idna';
import { normalizeTag } from '../../domain/shared/tags';
import { ValidationError } from '../../domain/shared/validation-error';
import { InviteUser, type Invitation } from '../access/users/invite-user';
import { ApiKeyReader } from '../ports/access/accounts-and-api-keys';
import { UserReader } from '../ports/access/users';
import { DomainQueries, DomainReader, type ListedDomain } from '../ports/registration/domain-repository';
import { ChangeTags } from './change-tags';

const MAX_DOMAINS = 20;
const MAX_TRIES = 100;

type GrantCommand = Requester & {
  readonly email: string;
  /** Of domains of the account, as people write them. */
  readonly names: readonly string[];
};

export interface DomainGrant {
  readonly domains: readonly Pick<ListedDomain, 'id' | 'name'>[];
  /** These domains get it, and the role is limited to it: no domain, person or key has it before. */
  readonly tag: string;
}

/** Invites a user for some domains, which are chosen by name: they get a tag of their own. */
@injectable()
export class InviteForDomains {
  constructor(
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'page'>,
    @inject(DomainQueries) private readonly domainQueries: Pick<DomainQueries, 'count'>,
    @inject(UserReader) private readonly users: Pick<UserReader, 'ofAccount'>,
    @inject(ApiKeyReader) private readonly keys: Pick<ApiKeyReader, 'ofAccount'>,
    @inject(ChangeTags) private readonly changeTags: ChangeTags,
    @inject(InviteUser) private readonly inviteUser: InviteUser,
  ) {}

  /** What `execute` would give. @throws ValidationError about `email` or `domains` */
  async plan({ accountId, actor, email, names }: GrantCommand): Promise<DomainGrant> {
    assertWholeAccountAllowed(actor);
    if (!isEmailAddress(email.trim())) throw ValidationError.of('email', EMAIL_EXPECTATION);
    const domains = await this.find(accountId, names);
    return { domains, tag: await this.freeTag(accountId, email) };
  }

  /** @param tag of the plan that was agreed to @throws ValidationError also if it is no longer free, and as `InviteUser` and `ChangeTags` */
  async execute({
    role,
    tag,
    ...command
  }: GrantCommand & { readonly role: Role; readonly tag: string }): Promise<Invitation> {
    const { accountId, actor, email } = command;
    const plan = await this.plan(command);
    if (plan.tag !== tag)
      throw ValidationError.of('domains', 'must be reviewed again: the tag for them is in use by now');
    return this.inviteUser.execute({ accountId, actor, email, role, tags: [tag] }, async (stores) => {
      for (const { id } of plan.domains)
        await this.changeTags.within(stores, { accountId, actor, domainId: id, add: [tag], remove: [] });
    });
  }

  private async find(accountId: string, given: readonly string[]): Promise<DomainGrant['domains']> {
    const wanted = new Map(given.map((text) => [toAsciiName(text.replace(/\.$/, '')) ?? text.toLowerCase(), text]));
    if (wanted.size === 0 || wanted.size > MAX_DOMAINS)
      throw ValidationError.of('domains', `must be 1 to ${MAX_DOMAINS} names of domains`);
    const { items } = await this.domains.page(accountId, { of: 'zones', names: [...wanted.keys()] }, MAX_DOMAINS);
    const found = new Set(items.map(({ name }) => name));
    const missing = [...wanted].filter(([name]) => !found.has(name)).map(([, text]) => text);
    if (missing.length > 0)
      throw ValidationError.of('domains', `must be names of the account, which does not have ${missing.join(', ')}`);
    return items.map(({ id, name }) => ({ id, name }));
  }

  /** `for-ada` of `ada@example.com`, or with a number. */
  private async freeTag(accountId: string, email: string): Promise<string> {
    const [users, keys] = await Promise.all([this.users.ofAccount(accountId), this.keys.ofAccount(accountId)]);
    const used = new Set([
      ...users.flatMap((user) => user.toState().tags ?? []),
      ...keys.flatMap((key) => key.toState().limits?.tags ?? []),
    ]);
    const base = normalizeTag(`for-${email.split('@')[0] ?? ''}`.slice(0, 36)) ?? 'for-colleague';
    for (let number = 1; number <= MAX_TRIES; number += 1) {
      const tag = number === 1 ? base : `${base}-${number}`;
      const isUsed =
        used.has(tag) ||
        (await this.domainQueries.count(accountId, { of: 'names', terms: [{ anyOf: [tagTerm(tag)] }] }, 1)) !== 0;
      if (!isUsed) return tag;
    }
    throw ValidationError.of('domains', 'cannot be granted: give a tag in place of them');
  }
}
