import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { MAX_ACTIVE_KEYS, tsigNameOf } from '../../../domain/access/api-key';
import { limitsOf, seesSomeDomains } from '../../../domain/access/key-permissions';
import { mayShareDomains } from '../../../domain/access/people/role';
import { TAG_PREFIX } from '../../../domain/portfolio/domain-terms';
import type { DomainState } from '../../../domain/registration/domain';
import { foldText } from '../../../domain/shared/text/fold-text';
import { foldNamePart } from '../../../domain/shared/idna';
import { ApiKeyReader } from '../../ports/access/accounts-and-api-keys';
import { UserReader } from '../../ports/access/users';
import { Clock } from '../../ports/system';
import { VisibleDomains } from '../../registration/visible-domains';
import { SearchRecords, type FoundRecord } from './search-records';

/** Of each kind. */
const MAX_FOUND = 6;
/** More tags of an account are not compared. */
const MAX_TAGS = 1_000;
const MIN_LENGTH = 2;

export interface AccountFindings {
  readonly domains: readonly DomainState[];
  readonly records: readonly FoundRecord[];
  readonly tags: readonly string[];
  readonly people: readonly { readonly id: string; readonly email: string }[];
  readonly keys: readonly { readonly keyId: string; readonly name: string }[];
  /** Whether the records of all domains were searched, or as many as it took to find enough. */
  readonly isComplete: boolean;
}

/**
 * What an account has of some words, six of each kind: domains whose name has the first word, and records, tags, people and
 * active keys that have all words, as far as the requester may see them.
 */
@injectable()
export class SearchAccount {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(SearchRecords) private readonly records: SearchRecords,
    @inject(UserReader) private readonly users: Pick<UserReader, 'ofAccount'>,
    @inject(ApiKeyReader) private readonly apiKeys: Pick<ApiKeyReader, 'page'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param signal ends the search of records early */
  async execute(requester: Reader, text: string, signal?: AbortSignal): Promise<AccountFindings> {
    const words = text.split(/\s+/).filter(Boolean).map(foldText);
    const isEnough = text.trim().length >= MIN_LENGTH;
    const hasAll = (...texts: readonly string[]) =>
      words.every((word) => texts.some((each) => foldText(each).includes(word)));
    const [domains, { records, isComplete }, tags, people, keys] = await Promise.all([
      this.findDomains(requester, text),
      this.records.execute(requester, text, MAX_FOUND, signal),
      isEnough ? this.tags(requester) : [],
      isEnough ? this.people(requester) : [],
      isEnough ? this.keys(requester) : [],
    ]);
    return {
      domains,
      records,
      tags: tags.filter((tag) => hasAll(tag)).slice(0, MAX_FOUND),
      people: people.filter(({ email }) => hasAll(email)).slice(0, MAX_FOUND),
      keys: keys.filter(({ keyId, name }) => hasAll(name, keyId, tsigNameOf(keyId))).slice(0, MAX_FOUND),
      isComplete,
    };
  }

  private async findDomains(requester: Reader, text: string): Promise<readonly DomainState[]> {
    const [first = ''] = text.split(/\s+/).filter(Boolean);
    const nameContains = foldNamePart(first);
    if (nameContains === '') return [];
    const list = { of: 'names', order: 'name', descending: false, nameContains } as const;
    return (await this.domains.page(requester, list, MAX_FOUND)).items;
  }

  private async tags(requester: Reader): Promise<readonly string[]> {
    const terms = await this.domains.terms(requester, TAG_PREFIX, MAX_TAGS);
    return terms.map((term) => term.slice(TAG_PREFIX.length));
  }

  /** To people who are limited to tags: those who may have domains of theirs. */
  private async people({ accountId, actor }: Reader): Promise<AccountFindings['people']> {
    if (actor.kind !== 'user') return [];
    const tags = limitsOf(actor)?.tags ?? null;
    const users = (await this.users.ofAccount(accountId)).map((user) => user.toState());
    return users.filter((user) => mayShareDomains(tags, user.tags)).map(({ id, email }) => ({ id, email }));
  }

  /** Keys are not for people who are limited to tags. */
  private async keys({ accountId, actor }: Reader): Promise<AccountFindings['keys']> {
    if (actor.kind !== 'user' || seesSomeDomains(actor)) return [];
    const keys = await this.apiKeys.page(accountId, { activeAt: this.clock.now() }, MAX_ACTIVE_KEYS);
    return keys.map((key) => key.toState()).map(({ keyId, name }) => ({ keyId, name }));
  }
}
