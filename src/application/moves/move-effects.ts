import { inject, injectable } from '../ports/inject';
import { nameserverTerm } from '../../domain/portfolio/domain-terms';
import type { MoveEffects } from '../../domain/registration/account-move';
import type { DomainState } from '../../domain/registration/domain';
import { isHosted } from '../../domain/registration/domain-status';
import { ApiKeyReader } from '../ports/access/accounts-and-api-keys';
import { UserReader } from '../ports/access/users';
import { ConnectedServiceReader } from '../ports/dns/templates-and-domain-connect';
import { RecordReader } from '../ports/dns/zone-queries';
import { DesiredStateReader } from '../ports/portfolio/portfolio-repositories';
import { DomainReader } from '../ports/registration/domain-repository';
import { Clock } from '../ports/system';

const MAX_NAMED = 5;
const ALWAYS_ENDS = [
  'Your keys, TSIG keys, templates and people no longer reach it; what they have proposed for it can no longer be accepted.',
  'Its operations, costs and activity until now stay in your account; its history of versions ends.',
];

/** What a move means for each account, for people to read before they decide. */
@injectable()
export class FindMoveEffects {
  constructor(
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'page'>,
    @inject(ApiKeyReader) private readonly keys: Pick<ApiKeyReader, 'ofAccount'>,
    @inject(UserReader) private readonly users: Pick<UserReader, 'ofAccount'>,
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'countWithPtr'>,
    @inject(ConnectedServiceReader) private readonly services: ConnectedServiceReader,
    @inject(DesiredStateReader) private readonly states: Pick<DesiredStateReader, 'find'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param moved the domain or zone, and the zones that move along */
  async execute(moved: readonly [DomainState, ...DomainState[]]): Promise<MoveEffects> {
    const [{ accountId }] = moved;
    const [keys, people, states, services, addresses, glue] = await Promise.all([
      this.limitedKeys(accountId, moved),
      this.delegatedPeople(accountId, moved),
      this.statesOf(accountId, moved),
      this.servicesOf(accountId, moved),
      this.records.countWithPtr(moved.map(({ id }) => id)),
      this.usersOfGlue(accountId, moved),
    ]);
    const tags = [...new Set(moved.flatMap((each) => each.tags))];
    return {
      ends: [
        ...ALWAYS_ENDS,
        ...line(tags, (named) => `Its tags end: ${named}.`),
        ...line(keys, (named) => `Keys for this name only can do nothing more: ${named}.`),
        ...counted(people, (amount) => `People who see it by its tags no longer do: ${amount}.`),
        ...line(states, (named) => `The state that was applied to it is no longer compared: ${named}.`),
        ...counted(
          addresses,
          (amount) => `PTR records of its addresses in your reverse zones are removed: at most ${amount}.`,
        ),
        ...line(
          glue,
          (named) => `Names of yours keep nameservers whose addresses the other account decides: ${named}.`,
        ),
      ],
      comes: [
        ...moved.slice(0, 1).map(cameWith),
        ...line(
          moved.slice(1).map(({ name }) => name),
          (named) => `Zones below it, which it delegates to: ${named}.`,
        ),
        ...line(services, (named) => `Connected services: ${named}.`),
        'Records, DNSSEC keys and settings stay as they are; tags and history begin with you.',
      ],
    };
  }

  private async limitedKeys(accountId: string, moved: readonly DomainState[]): Promise<readonly string[]> {
    const now = this.clock.now();
    const names = moved.map(({ name }) => name);
    return (await this.keys.ofAccount(accountId))
      .filter(
        (key) => key.status(now) === 'active' && key.toState().limits?.domains?.every((name) => names.includes(name)),
      )
      .map((key) => key.toState().name);
  }

  private async delegatedPeople(accountId: string, moved: readonly DomainState[]): Promise<number> {
    const tags = moved.flatMap((each) => each.tags);
    if (tags.length === 0) return 0;
    const people = await this.users.ofAccount(accountId);
    return people.filter((user) => user.toState().tags?.some((tag) => tags.includes(tag))).length;
  }

  private async statesOf(accountId: string, moved: readonly DomainState[]): Promise<readonly string[]> {
    const states = await Promise.all(moved.map(({ id }) => this.states.find(accountId, id)));
    return states.flatMap((state) => (state ? [state.name] : []));
  }

  private async servicesOf(accountId: string, moved: readonly DomainState[]): Promise<readonly string[]> {
    const services = await Promise.all(moved.map(({ id }) => this.services.ofDomain(accountId, id)));
    return services.flat().map(({ providerName, serviceName }) => `${providerName} ${serviceName}`);
  }

  /** Other names of the account that have nameservers under a name that moves. */
  private async usersOfGlue(accountId: string, moved: readonly DomainState[]): Promise<readonly string[]> {
    const hosts = moved.flatMap(({ name, nameservers }) =>
      nameservers.filter((host) => host === name || host.endsWith(`.${name}`)),
    );
    if (hosts.length === 0) return [];
    const filter = { of: 'names', terms: [{ anyOf: [...new Set(hosts)].map(nameserverTerm) }] } as const;
    const { items } = await this.domains.page(accountId, filter, MAX_NAMED + 1 + moved.length);
    return items.filter(({ id }) => !moved.some((each) => each.id === id)).map(({ name }) => name);
  }
}

function cameWith({ name, status, expiresAt, autoRenew, transferLocked }: DomainState): string {
  if (isHosted(status)) return `The zone ${name}, which is registered elsewhere.`;
  const expiry = expiresAt.toISOString().slice(0, 10);
  return `${name}, registered until ${expiry}, auto-renewal ${autoRenew ? 'on' : 'off'}, transfer lock ${transferLocked ? 'on' : 'off'}.`;
}

function line(items: readonly string[], toText: (named: string) => string): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length - MAX_NAMED;
  return [toText(`${items.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`)];
}

function counted(amount: number, toText: (amount: number) => string): readonly string[] {
  return amount === 0 ? [] : [toText(amount)];
}
