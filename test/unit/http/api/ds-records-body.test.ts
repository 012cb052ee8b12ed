import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DsRecordsBody } from '../../../../src/http/api/resources/dns/ds-records';
import { validated } from '../../../../src/http/api/validated';

const CASE = JSON.parse(readFileSync(join(__dirname, '../../../fixtures/public-cases/37-ds.json'), 'utf8')) as {
  readonly ds: readonly Record<string, unknown>[];
};

describe('the body that sets DS records', () => {
  it('names a key tag that is text as no integer, and nothing else', () => {
    expect(() => validated(DsRecordsBody, CASE)).toThrow(
      expect.objectContaining({ issues: [{ path: 'ds[0].key_tag', message: 'must be an integer' }] }),
    );
  });

  it('may have white space in the digest and in the key (RFC 4034)', () => {
    const [record] = CASE.ds;
    const keys = [{ flags: 257, algorithm: 13, public_key: 'AAAA\n AAAA' }];

    expect(validated(DsRecordsBody, { ds: [{ ...record, key_tag: 2371 }], dnskeys: keys })).toMatchObject({
      ds: [{ digest: '1F987CC6583E92DF0890718C42A44C9B4D5D2CA57FC1C6EC4AEB0C2C1C1AE8CF' }],
      dnskeys: [{ public_key: 'AAAAAAAA' }],
    });
  });
});
