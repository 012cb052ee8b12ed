import { generateKeyPairSync, sign } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ConnectRefused } from '../../../src/domain/domain-connect/connect-errors';
import { parseApplyQuery, type ApplyQuery } from '../../../src/domain/domain-connect/apply-query';
import { isSignedBy, keyName, readSignatureKey } from '../../../src/domain/domain-connect/signature-key';
import { SeededRandom } from '../../crash/random';
import type { Campaign, CampaignResult } from '../campaign';
import { mutate, type Links } from './query-mutations';

const KEY_DOMAIN = 'keys.provider.example';
/** A value has what encodings differ in: spaces, plus signs, percent signs, ampersands and other scripts. */
const QUERIES = [
  'domain=example.com&host=shop&ip=192.0.2.1&state=abc',
  'domain=example.com&redirect_uri=https%3A%2F%2Fprovider.example%2Fdone%3Fa%3D1%26b%3D2&verify=a%2Bb+c%20d%25&groupId=web,mail',
  'host=&domain=example.com&name=B%C3%BCcher&providerName=Shop&txt=%22v%3D1%22&empty=',
] as const;

/**
 * Changes signed links of Domain Connect at random. A link may be accepted only if it is read exactly as the provider signed it; with
 * other octets under the signature, or another signature, it must be refused.
 */
export const domainConnectCampaign: Campaign = {
  name: 'domain-connect',
  unit: 'changed links',
  ciSize: 1_000,
  fullSize: 100_000,
  run(size, seed) {
    return Promise.resolve(run(size, seed));
  },
};

function run(size: number, seed: number): CampaignResult {
  const random = new SeededRandom(seed);
  const provider = new Provider();
  const [first, ...more] = QUERIES;
  const links: Links = [provider.signed(first), ...more.map((query) => provider.signed(query))];
  const failures = links.filter((link) => !provider.accepts(link)).map((link) => `refuses the unchanged link ${link}`);
  const counts = { refused: 0, same: 0 };
  for (let made = 0; made < size;) {
    const original = random.oneOf(links);
    const changed = mutate(original, random, links);
    if (changed === original) continue;
    made += 1;
    if (!provider.accepts(changed)) counts.refused += 1;
    else if (isReadAs(changed, original)) counts.same += 1;
    else failures.push(`accepts ${changed}, made of ${original}`);
  }
  const summary = `${size} changed links: ${counts.refused} refused, ${failures.length} accepted, ${counts.same} that say the same`;
  return { summary, failures: counts.refused === 0 ? [...failures, 'no link was refused'] : failures };
}

/** Its two keys are at `k1` and `k2`; the domain has no others. */
class Provider {
  private readonly pairs = ['k1', 'k2'].map((name) => ({
    name,
    pair: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  }));
  private readonly published = new Map(
    this.pairs.map(({ name, pair }) => [
      keyName(name, KEY_DOMAIN),
      readSignatureKey(textsOf(pair.publicKey.export({ type: 'spki', format: 'der' }))),
    ]),
  );

  signed(query: string): string {
    const [first] = this.pairs;
    if (!first) throw new Error('no key');
    const octets = sign('sha256', Buffer.from(query, 'utf8'), first.pair.privateKey);
    return `${query}&sig=${encodeURIComponent(octets.toString('base64'))}&key=${first.name}`;
  }

  accepts(link: string): boolean {
    const signature = read(link)?.signature;
    const name = signature && keyName(signature.key, KEY_DOMAIN);
    const key = name === undefined ? undefined : this.published.get(name);
    return signature !== undefined && key !== undefined && isSignedBy(signature, key);
  }
}

/** In two parts, as in the TXT records of a provider. */
function textsOf(key: Buffer): readonly string[] {
  const base64 = key.toString('base64');
  return [base64.slice(0, 200), base64.slice(200)].map((data, index) => `p=${index + 1},a=RS256,d=${data}`);
}

function read(link: string): ApplyQuery | undefined {
  try {
    return parseApplyQuery(link);
  } catch (error) {
    if (error instanceof ConnectRefused) return undefined;
    throw error;
  }
}

/** Such as with the signature at another place, or with the name of the key in capital letters, which are one name in DNS. */
function isReadAs(link: string, original: string): boolean {
  const [one, other] = [link, original].map((each) => {
    const query = read(each);
    const signature = query?.signature;
    return { ...query, signature: { ...signature, key: keyName(signature?.key ?? '', KEY_DOMAIN) } };
  });
  return isDeepStrictEqual(one, other);
}
