import { gzipSync } from 'node:zlib';
import { ImportZoneFile } from '../../src/application/dns/zones/import-zone-file';
import { MAX_UPLOAD_BYTES } from '../../src/http/dashboard/middleware/upload-body';
import { signedIn, Visitor } from '../support/dashboard/visitor';
import { sendOctets } from '../support/http/raw-http';
import { api, registered, startService, type TestService } from '../support/service/service';

const URLENCODED = 'application/x-www-form-urlencoded';
const BOUNDARY = 'boundary-of-this-form';

describe('forms of the dashboard', () => {
  let service: TestService;
  let visitor: Visitor;
  let accountId: string;
  let domainId: string;
  let zoneFile: string;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    domainId = await registered(api(service, await service.key(accountId)), 'forms.com');
    zoneFile = `/domains/${domainId}/zone-file`;
    visitor = await signedIn(service, accountId);
  });
  afterAll(() => service.stop());

  function send(...parts: readonly string[]) {
    return visitor.raw(
      `${zoneFile}/plan`,
      { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
      `${parts.join('')}--${BOUNDARY}--\r\n`,
    );
  }

  function token(): string {
    return part('_token', visitor.formToken);
  }

  it.each(['gzip', 'deflate', 'br'])('refuses a body compressed with %s, signed in or not', async (encoding) => {
    const packed = gzipSync(`_token=x&text=${'a'.repeat(24_000_000)}`);

    for (const form of ['/sign-in', '/api-keys', `${zoneFile}/plan`]) {
      await visitor.raw(form, { 'Content-Type': URLENCODED, 'Content-Encoding': encoding }, packed).expect(415);
      await new Visitor(service)
        .raw(form, { 'Content-Type': URLENCODED, 'Content-Encoding': encoding }, packed)
        .expect(form === '/sign-in' ? 415 : 401);
    }
  });

  it('checks the CSRF token before it decodes the fields', async () => {
    const fields = Array.from({ length: 5_000 }, (_, index) => `f${index}=1`).join('&');

    await visitor.raw('/api-keys', { 'Content-Type': URLENCODED }, `_token=forged&${fields}`).expect(403);
    await visitor
      .raw('/api-keys', { 'Content-Type': URLENCODED }, `${fields}&_token=${encodeURIComponent(visitor.formToken)}`)
      .expect(413);
  });

  it('accepts a CSRF token behind other fields', async () => {
    await visitor
      .raw(
        '/api-keys',
        { 'Content-Type': URLENCODED },
        `name=Behind&scope=READ&_token=${encodeURIComponent(visitor.formToken)}`,
      )
      .expect(200)
      .expect(/Behind/);
  });

  it('takes 16 KiB without a session and 256 KiB with one', async () => {
    const form = (bytes: number) => `_token=${encodeURIComponent(visitor.formToken)}&name=`.padEnd(bytes, 'a');

    await new Visitor(service).raw('/sign-in', { 'Content-Type': URLENCODED }, form(16_384)).expect(403);
    await new Visitor(service).raw('/sign-in', { 'Content-Type': URLENCODED }, form(16_385)).expect(413);
    await visitor.raw('/api-keys', { 'Content-Type': URLENCODED }, form(262_144)).expect(400);
    await visitor.raw('/api-keys', { 'Content-Type': URLENCODED }, form(262_145)).expect(413);
  });

  describe('with an upload', () => {
    it('takes a file of 8 MiB and hands it to the zone reader in pieces', async () => {
      const longest = await watchPieces(service, () =>
        send(token(), part('text', `@ 300 A 192.0.2.1\n;${'c'.repeat(MAX_UPLOAD_BYTES - 19)}`))
          .expect(200)
          .expect(/1 added/),
      );

      expect(longest).toBeLessThanOrEqual(65_536);
    });

    it('refuses a file of more than 8 MiB', async () => {
      await send(token(), part('text', 'c'.repeat(MAX_UPLOAD_BYTES + 1))).expect(413);
    });

    it('refuses an announced size before any of it has arrived', async () => {
      const head = [
        `POST ${zoneFile}/plan HTTP/1.1`,
        'Host: a',
        `Cookie: ${visitor.cookies(`${zoneFile}/plan`)}`,
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length: 20000000',
        'Accept: text/html',
        'Connection: close',
        '',
        '',
      ];

      expect(await sendOctets(service.server, head.join('\r\n'))).toMatch(/^HTTP\/1\.1 413 /);
    });

    it.each([
      ['a missing CSRF token', 403, () => [part('text', '@ 300 A 192.0.2.1\n')]],
      ['a forged CSRF token', 403, () => [part('_token', 'forged'), part('text', '@ 300 A 192.0.2.1\n')]],
      ['a CSRF token behind the file', 403, () => [part('text', '@ 300 A 192.0.2.1\n'), token()]],
      ['a second file', 413, () => [token(), part('text', '@ 300 A 192.0.2.1\n'), part('text', 'x')]],
      [
        'more fields than any page has',
        413,
        () => [token(), ...Array.from({ length: 20 }, (_, index) => part(`f${index}`, '1'))],
      ],
      ['a long field beside the file', 413, () => [token(), part('expected', '1'.repeat(5_000))]],
    ])('refuses %s', async (_what, status, parts) => {
      await send(...parts()).expect(status);
    });

    it('refuses a form that is not multipart, has no boundary or ends too early', async () => {
      await visitor
        .raw(`${zoneFile}/plan`, { 'Content-Type': URLENCODED }, `_token=${visitor.formToken}&text=x`)
        .expect(415);
      await visitor.raw(`${zoneFile}/plan`, { 'Content-Type': 'multipart/form-data' }, token()).expect(400);
      await visitor
        .raw(
          `${zoneFile}/plan`,
          { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
          `${token()}--${BOUNDARY}\r\nContent-Disp`,
        )
        .expect(400);
    });

    it('returns the file with its plan and with its errors, as text', async () => {
      const text = '@ 300 TXT "</textarea><b>&amp;"\n';

      const plan = await send(token(), part('text', text)).expect(200);
      const refused = await send(token(), part('text', `${text}x 300 A nonsense\n`)).expect(400);

      for (const page of [plan, refused]) expect(page.text).toContain('@ 300 TXT "&lt;/textarea>&lt;b>&amp;amp;"\n');
      expect(refused.text).toContain('line 2');
    });
  });
});

function part(name: string, value: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** The length of the longest piece of text that an import is given while `work` goes on. */
async function watchPieces({ container }: TestService, work: () => PromiseLike<unknown>): Promise<number> {
  const useCase = container.get(ImportZoneFile);
  const plan = useCase.plan.bind(useCase);
  let longest = 0;
  useCase.plan = (command) => {
    const watched = function* () {
      for (const piece of command.text) {
        longest = Math.max(longest, piece.length);
        yield piece;
      }
    };
    return plan({ ...command, text: watched() });
  };
  try {
    await work();
  } finally {
    useCase.plan = plan;
  }
  return longest;
}
