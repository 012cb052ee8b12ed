import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  RegistryNotContacted,
  RegistryRejected,
  RegistryUnavailable,
} from '../../../../../src/application/ports/registry/registry-errors';
import type { RegistryDomain } from '../../../../../src/application/ports/registry/registry-port';
import type { DomainName } from '../../../../../src/domain/shared/domain-name';
import { EppListing } from '../../../../../src/infrastructure/registry/epp/objects/epp-listing';

const EXPIRY = new Date('2028-01-01T00:00:00Z');

const outage = async () => Promise.reject(new RegistryNotContacted('The registry cannot be reached'));

describe('the names file of the EPP adapter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-names-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const listing = (content: string, ours: (name: string) => boolean = () => true) => {
    const file = join(folder, 'names.txt');
    writeFileSync(file, content);
    const asked: string[] = [];
    const find = async (name: DomainName) => {
      asked.push(name.value);
      if (name.value.startsWith('free')) return undefined;
      return { name, expiresAt: EXPIRY, sponsoredByUs: ours(name.value) } as RegistryDomain;
    };
    return { asked, list: new EppListing({ find }, file) };
  };

  it('lists the names that we sponsor, in order, without comments and repetitions', async () => {
    const { list } = listing(
      '# our names\nB.com\n\n a.com # bought\nb.com\nfree.com\nlost.com\n',
      (name) => name !== 'lost.com',
    );

    const { names, next } = await list.list();

    expect(names.map(({ name, expiresAt }) => [name.value, expiresAt])).toEqual([
      ['a.com', EXPIRY],
      ['b.com', EXPIRY],
    ]);
    expect(next).toBeUndefined();
  });

  it('continues after the last name of the page before, with one info per name', async () => {
    const all = Array.from({ length: 45 }, (_, index) => `name-${String(index).padStart(2, '0')}.com`);
    const { list, asked } = listing(all.toReversed().join('\n'));

    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list.list(cursor);
      names.push(...page.names.map(({ name }) => name.value));
      cursor = page.next;
    } while (cursor !== undefined);

    expect(names).toEqual(all);
    expect(asked).toEqual(all);
  });

  it('reports an invalid line by its number, and lists the others', async () => {
    const { list } = listing('a.com\nnot a name\nb.com\n');

    const { names, skipped } = await list.list();

    expect(names.map(({ name }) => name.value)).toEqual(['a.com', 'b.com']);
    expect(skipped).toEqual([{ name: 'line 2', reason: expect.stringContaining('must be a domain name') }]);
  });

  it('lists each name of a file with a byte order mark, comments, Unicode and final dots', async () => {
    const { list } = listing(readFileSync(join(__dirname, '../../../../fixtures/public-cases/48-names.txt'), 'utf8'));

    const { names, skipped } = await list.list();

    expect(names.map(({ name }) => name.value)).toEqual([
      'fine-one.com',
      'fine-three.com',
      'fine-two.com',
      'xn--mnchen-trial-dlb.com',
    ]);
    expect(skipped).toEqual([]);
  });

  it.each([
    ['rejects', new RegistryRejected('policy', 'the registry hides it')],
    ['does not respond to', new RegistryUnavailable('the registry hides it')],
  ])('lists the other names of a page if the registry %s the info of one', async (_what, error) => {
    const file = join(folder, 'names.txt');
    writeFileSync(file, 'a.com\nhidden.com\nz.com\n');
    const find = async (name: DomainName) => {
      if (name.value === 'hidden.com') throw error;
      return { name, expiresAt: EXPIRY, sponsoredByUs: true } as RegistryDomain;
    };

    const { names, skipped } = await new EppListing({ find }, file).list();

    expect(names.map(({ name }) => name.value)).toEqual(['a.com', 'z.com']);
    expect(skipped).toEqual([{ name: 'hidden.com', reason: 'the registry hides it' }]);
  });

  it('lists nothing during an outage, so that the page is read again', async () => {
    const file = join(folder, 'names.txt');
    writeFileSync(file, 'a.com\n');

    await expect(new EppListing({ find: outage }, file).list()).rejects.toBeInstanceOf(RegistryNotContacted);
  });

  it('lists nothing of a file that is missing', async () => {
    await expect(
      new EppListing({ find: async () => undefined }, join(folder, 'missing.txt')).list(),
    ).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  });

  it('is required to list names', async () => {
    await expect(new EppListing({ find: async () => undefined }, undefined).list()).rejects.toMatchObject({
      reason: 'unsupported',
    });
  });
});
