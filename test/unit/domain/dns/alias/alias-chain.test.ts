import { AliasChain, type ResolvedRecord } from '../../../../../src/domain/dns/alias/alias-chain';

function cname(name: string, data: string, ttl = 300): ResolvedRecord {
  return { name, type: 'CNAME', ttl, data };
}

function a(name: string, data: string, ttl = 300): ResolvedRecord {
  return { name, type: 'A', ttl, data };
}

function answer(records: readonly ResolvedRecord[], negativeTtl?: number) {
  return { records, negativeTtl };
}

/** `n0` to `n<count>`, each a CNAME of the next. */
function cnames(count: number): ResolvedRecord[] {
  return Array.from({ length: count }, (_, index) => cname(`n${index}.test`, `n${index + 1}.test`));
}

describe('the CNAMEs that the target of an ALIAS record leads through', () => {
  it('end at the addresses, sorted, with the lowest TTL of the chain', () => {
    const chain = new AliasChain('www.test', 'A');

    const step = chain.follow(
      answer([
        cname('www.test', 'lb.test', 120),
        a('lb.test', '198.51.100.2', 600),
        a('lb.test', '198.51.100.1', 600),
        a('other.test', '198.51.100.3', 10),
      ]),
    );

    expect(step).toEqual({ kind: 'addresses', addresses: ['198.51.100.1', '198.51.100.2'], ttl: 120 });
  });

  it('are queried for if an answer stops at one of them', () => {
    const chain = new AliasChain('www.test', 'A');

    const steps = [
      chain.follow(answer([cname('www.test', 'lb.test')])),
      chain.follow(answer([a('lb.test', '198.51.100.1', 60)])),
    ];

    expect(steps).toEqual([
      { kind: 'query', name: 'lb.test' },
      { kind: 'addresses', addresses: ['198.51.100.1'], ttl: 60 },
    ]);
  });

  it('may end without addresses, for as long as the negative answer is valid', () => {
    const step = new AliasChain('www.test', 'A').follow(answer([cname('www.test', 'lb.test', 600)], 90));

    expect(step).toEqual({ kind: 'addresses', addresses: [], ttl: 90 });
  });

  it('have no addresses for a minute if the answer is empty and does not say for how long', () => {
    expect(new AliasChain('www.test', 'A').follow(answer([]))).toEqual({ kind: 'addresses', addresses: [], ttl: 60 });
  });

  it('fail as a loop that is reported with its names', () => {
    const chain = new AliasChain('www.test', 'A');

    const step = chain.follow(
      answer([cname('www.test', 'a.test'), cname('a.test', 'b.test'), cname('b.test', 'a.test')]),
    );

    expect(step).toEqual({ kind: 'failed', reason: 'the names form a loop: a.test -> b.test -> a.test' });
  });

  it.each(['.', 'a..test', 'a b.test', `${'a'.repeat(64)}.test`, `${'a.'.repeat(130)}test`, 'caf\uFFFD.test'])(
    'fail at the target %j, which cannot be queried for',
    (target) => {
      const step = new AliasChain('www.test', 'A').follow(answer([cname('www.test', target)]));

      expect(step).toEqual({ kind: 'failed', reason: 'a CNAME of www.test has an unusual target' });
    },
  );

  it('are at most eight', () => {
    const eight = new AliasChain('n0.test', 'A').follow(answer([...cnames(8), a('n8.test', '198.51.100.1')]));
    const nine = new AliasChain('n0.test', 'A').follow(answer([...cnames(9), a('n9.test', '198.51.100.1')]));

    expect(eight).toMatchObject({ kind: 'addresses', addresses: ['198.51.100.1'] });
    expect(nine).toEqual({ kind: 'failed', reason: 'more than 8 CNAMEs follow each other' });
  });

  it('are at most eight also if the resolver returns one at a time', () => {
    const chain = new AliasChain('n0.test', 'A');

    const kinds = cnames(9).map((each) => chain.follow(answer([each])).kind);

    expect(kinds).toEqual([...Array.from({ length: 8 }, () => 'query'), 'failed']);
  });
});
