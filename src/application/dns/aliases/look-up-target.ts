import { inject, injectable } from '../../ports/inject';
import { AliasChain, loopReason, MAX_HOPS, type AddressType } from '../../../domain/dns/alias/alias-chain';
import { afterLookups, type AliasTarget, type TargetLookup } from '../../../domain/dns/alias/alias-target';
import { settleAll } from '../../shared/settle-all';
import { AliasReader, AliasResolver } from '../../ports/dns/alias-repository';
import { Clock } from '../../ports/system';

/** An RRset of more would not fit into the limit of records of one name and type. */
const MAX_ADDRESSES = 100;

/** No query is sent later than this after the first one: a chain of CNAMEs at slow nameservers holds up other targets. */
const DEADLINE_MS = 20_000;

/** Follows the target of ALIAS records to its addresses. */
@injectable()
export class LookUpTarget {
  constructor(
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(AliasResolver) private readonly resolver: AliasResolver,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Returns the target as the look-up leaves it; stores nothing. */
  async execute(before: AliasTarget): Promise<AliasTarget> {
    const loop = await this.findLoop([before.target]);
    const [ipv4, ipv6] = loop
      ? ([loop, loop] as const)
      : await settleAll([this.lookUp(before.target, 'A'), this.lookUp(before.target, 'AAAA')]);
    return afterLookups(before, { A: ipv4, AAAA: ipv6 }, this.clock.now());
  }

  /**
   * ALIAS records of this service that lead back to the target would keep each other's last addresses alive forever, because
   * a resolver sees addresses and no loop. @param path the target, and the names that CNAMEs lead to
   */
  private async findLoop(path: readonly string[]): Promise<TargetLookup | undefined> {
    const names = [...path];
    for (let next = await this.targetOfLast(names); next; next = await this.targetOfLast(names)) {
      const isLoop = names.includes(next);
      names.push(next);
      if (isLoop) return { kind: 'failed', reason: loopReason(names) };
      if (names.length - path.length === MAX_HOPS)
        return { kind: 'failed', reason: `more than ${MAX_HOPS} ALIAS records follow each other` };
    }
    return undefined;
  }

  private targetOfLast(names: readonly string[]): Promise<string | undefined> {
    return this.aliases.targetAt(names.at(-1) ?? '');
  }

  private async lookUp(target: string, type: AddressType): Promise<TargetLookup> {
    const chain = new AliasChain(target, type);
    const deadline = this.clock.now().getTime() + DEADLINE_MS;
    for (let name = target; ;) {
      if (this.clock.now().getTime() > deadline)
        return { kind: 'failed', reason: `${target} takes too long to resolve` };
      const response = await this.resolver.query(name, type);
      if (response.kind === 'failed') return response;
      const step = chain.follow(response);
      if (step.kind === 'failed') return step;
      if (step.kind === 'addresses') {
        const loop = chain.path.length > 1 ? await this.findLoop(chain.path) : undefined;
        return loop ?? this.publishable(step);
      }
      name = step.name;
    }
  }

  private publishable({ addresses, ttl }: { addresses: readonly string[]; ttl: number }): TargetLookup {
    if (addresses.length > MAX_ADDRESSES)
      return { kind: 'failed', reason: `the target has more than ${MAX_ADDRESSES} addresses` };
    const isPublishable = new Map(addresses.map((address) => [address, this.resolver.isPublishable(address)]));
    const [refused] = addresses.filter((address) => !isPublishable.get(address));
    return {
      kind: 'answered',
      addresses: addresses.filter((address) => isPublishable.get(address)),
      ttl,
      problem: refused === undefined ? undefined : `${refused} is not a public address`,
    };
  }
}
