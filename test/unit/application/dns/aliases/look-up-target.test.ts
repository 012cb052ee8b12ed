import { LookUpTarget } from '../../../../../src/application/dns/aliases/look-up-target';
import { newTarget } from '../../../../../src/domain/dns/alias/alias-target';
import { UseCaseContext } from '../../../../support/use-cases/use-case-context';

describe('the look-up of the target of an ALIAS record', () => {
  it('fails if slow nameservers lead from one CNAME to the next', async () => {
    const { clock, storage } = new UseCaseContext();
    const queries: string[] = [];
    const resolver = {
      isConfigured: true,
      isPublishable: () => true,
      query: async (name: string, type: 'A' | 'AAAA') => {
        if (type === 'A') clock.advance({ ms: 9_000 });
        queries.push(`${name} ${type}`);
        const records = [{ name, type: 'CNAME' as const, ttl: 60, data: `next.${name}` }];
        return { kind: 'answered' as const, records, negativeTtl: undefined };
      },
    };

    const { error } = await new LookUpTarget(storage.aliases, resolver, clock).execute(
      newTarget('lb.test', clock.now()),
    );

    expect(error).toContain('A: lb.test takes too long to resolve');
    expect(queries.filter((query) => query.endsWith(' A'))).toHaveLength(3);
  });
});
