import { rfc } from '../../../../../src/infrastructure/registry/epp/profiles/rfc';
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  tuple,
  type Arbitrary,
} from 'fast-check';
import { RegistryRejected, RegistryUnavailable } from '../../../../../src/application/ports/registry/registry-errors';
import type { RegistryAdapter } from '../../../../../src/infrastructure/registry/registry-adapter';
import { DomainName } from '../../../../../src/domain/shared/domain-name';
import { Nameservers } from '../../../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../../../src/domain/registration/registration-term';
import { ConnectionLost } from '../../../../../src/infrastructure/registry/epp/session/connection-errors';
import { REGISTRANT } from '../../../../../src/testing/registry-fixtures';
import { recordedExchanges } from '../../../../support/epp/epp-fixtures';
import { ALL_SERVICES, NO_FEES, recordedRegistry, type Answer } from '../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../support/epp/scripted-epp-server';
import { seeded } from '../../../../support/seeded';

const NAME = DomainName.fromState('life187315.test');
const HOSTS = Nameservers.of(['ns1.ex187315.net', 'ns1.life187315.test']);
const PRICE = { minor: 1_000, currency: 'EUR' };
const TERM = RegistrationTerm.ofYears(2);
const EXPIRY = new Date('2028-11-20T15:08:36.244Z');
const GLUE = [{ host: 'ns1.life187315.test', addresses: ['192.0.2.1'] }];
const MAX_ANSWERS = 24;

const CALLS: Readonly<Record<string, (registry: RegistryAdapter) => Promise<unknown>>> = {
  check: async (registry) =>
    registry.check([NAME, DomainName.fromState('free.test'), DomainName.fromState('other.test')]),
  price: async (registry) => registry.price(NAME),
  register: async (registry) =>
    registry.register({
      name: NAME,
      term: TERM,
      registrant: REGISTRANT,
      nameservers: Nameservers.of(['ns1.ex187315.net', 'ns2.ex187315.net']),
      price: PRICE,
      transactionId: 'op-1',
    }),
  info: async (registry) => registry.info(NAME),
  renew: async (registry) => registry.renew(NAME, EXPIRY, TERM, 'op-1', PRICE),
  setNameservers: async (registry) => registry.setNameservers(NAME, HOSTS, GLUE, 'op-1'),
  setRegistrant: async (registry) => registry.setRegistrant(NAME, REGISTRANT, 'op-1'),
  setTransferLock: async (registry) => registry.setTransferLock(NAME, true, 'op-1'),
  issueAuthCode: async (registry) => registry.issueAuthCode(NAME, 'op-1'),
  withdrawAuthCode: async (registry) => registry.withdrawAuthCode(NAME, 'op-1'),
  restore: async (registry) => registry.restore(NAME, PRICE, 'op-1'),
  delete: async (registry) => registry.delete(NAME, 'op-1'),
  poll: async (registry) => registry.poll(),
  acknowledge: async (registry) => registry.acknowledge('1'),
};

const documents = recordedExchanges().map(({ response }) => response.toString());

/** A recorded response with a part replaced by a part of another. */
const spliced = tuple(constantFrom(...documents), constantFrom(...documents), nat(), nat(), nat({ max: 80 })).map(
  ([document, other, at, from, length]) => {
    const [position, source] = [at % document.length, from % other.length];
    return document.slice(0, position) + other.slice(source, source + length) + document.slice(position + length);
  },
);
/** A recorded response with an element renamed, emptied or changed. */
const altered = tuple(
  constantFrom(...documents),
  nat(),
  constantFrom('', '-', 'PT5M', '9999999999999999999', '0000-00-00T00:00:00Z', 'ns1..test', '\u00fc'.repeat(300)),
).map(([document, which, value]) => {
  const texts = [...document.matchAll(/>([^<>\s][^<>]*)</g)];
  const text = texts[which % texts.length];
  return text ? document.slice(0, text.index + 1) + value + document.slice(text.index + 1 + text[1]!.length) : document;
});
const answer: Arbitrary<Answer> = oneof(
  constantFrom(...documents),
  oneof(spliced, altered).map((document) => Buffer.from(document)),
  integer({ min: 900, max: 3_000 }).map((code) => resultOf(code)),
  constant(new ConnectionLost('gone')),
);

describe('the EPP adapter with mutated responses', () => {
  it.each(Object.entries(CALLS))(
    'has %s succeed, rejected or unavailable, in a bounded number of questions, and never anything else',
    async (_title, call) => {
      await assert(
        asyncProperty(
          array(answer, { minLength: MAX_ANSWERS, maxLength: MAX_ANSWERS }),
          constantFrom(ALL_SERVICES, NO_FEES),
          constantFrom('object' as const, 'attribute' as const),
          async (answers, services, hostMode) => {
            const { registry, sent } = recordedRegistry(answers, services, {
              profile: { ...rfc, hosts: hostMode, namesPerCheck: 2 },
            });

            const error: unknown = await call(registry).then(
              () => undefined,
              (reason: unknown) => reason,
            );

            if (error !== undefined && !(error instanceof RegistryRejected) && !(error instanceof RegistryUnavailable))
              throw new Error('neither rejected nor unavailable', { cause: error });
            expect(sent.length).toBeLessThan(MAX_ANSWERS);
          },
        ),
        seeded(300),
      );
    },
  );
});
