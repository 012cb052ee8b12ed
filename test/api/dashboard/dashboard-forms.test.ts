import { gzipSync } from 'node:zlib';
import { ImportZoneFile } from '../../../src/application/dns/zones/zone-files/import-zone-file';
import { MAX_UPLOAD_BYTES } from '../../../src/http/dashboard/middleware/upload-body';
import { signIn, DashboardClient } from '../../support/dashboard/dashboard-client';
import { sendOctets } from '../../support/http/raw-http';
import { api, registered, startService, type TestService } from '../../support/service/service';

const URLENCODED = 'application/x-www-form-urlencoded';
const BOUNDARY = 'boundary-of-this-form';

describe('forms of the dashboard', () => {
  let service: TestService;
  let dashboard: DashboardClient;
  let accountId: string;
  let domainId: string;
  let zoneFile: string;

  beforeAll(async () => {
    service = await startService();
    accountId = await service.account();
    domainId = await registered(api(service, await service.key(accountId)), 'forms.com');
    zoneFile = `/domains/${domainId}/zone-file`;
    dashboard = await signIn(service, accountId);
  });
  afterAll(() => service.stop());

  function send(...parts: readonly string[]) {
    return dashboard.raw(
      `${zoneFile}/plan`,
      { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
      `${parts.join('')}--${BOUNDARY}--\r\n`,
    );
  }

  function token(): string {
    return part('_token', dashboard.formToken);
  }

  it.each(['gzip', 'deflate', 'br'])(
    'rejects a body compressed with %s, with and without a session',
    async (encoding) => {
      const compressed = gzipSync(`_token=x&text=${'a'.repeat(24_000_000)}`);

      for (const form of ['/sign-in', '/api-keys', `${zoneFile}/plan`]) {
        await dashboard.raw(form, { 'Content-Type': URLENCODED, 'Content-Encoding': encoding }, compressed).expect(415);
        await new DashboardClient(service)
          .raw(form, { 'Content-Type': URLENCODED, 'Content-Encoding': encoding }, compressed)
          .expect(form === '/sign-in' ? 415 : 401);
      }
    },
  );

  it('checks the CSRF token before decoding the fields', async () => {
    const fields = Array.from({ length: 5_000 }, (_, index) => `f${index}=1`).join('&');

    await dashboard.raw('/api-keys', { 'Content-Type': URLENCODED }, `_token=forged&${fields}`).expect(403);
    await dashboard
      .raw('/api-keys', { 'Content-Type': URLENCODED }, `${fields}&_token=${encodeURIComponent(dashboard.formToken)}`)
      .expect(413);
  });

  it('accepts a CSRF token after other fields', async () => {
    await dashboard
      .raw(
        '/api-keys',
        { 'Content-Type': URLENCODED },
        `name=Behind&scope=READ&_token=${encodeURIComponent(dashboard.formToken)}`,
      )
      .expect(200)
      .expect(/Behind/);
  });

  it('accepts 16 KiB without a session and 256 KiB with one', async () => {
    const form = (bytes: number) => `_token=${encodeURIComponent(dashboard.formToken)}&name=`.padEnd(bytes, 'a');

    await new DashboardClient(service).raw('/sign-in', { 'Content-Type': URLENCODED }, form(16_384)).expect(403);
    await new DashboardClient(service).raw('/sign-in', { 'Content-Type': URLENCODED }, form(16_385)).expect(413);
    await dashboard.raw('/api-keys', { 'Content-Type': URLENCODED }, form(262_144)).expect(400);
    await dashboard.raw('/api-keys', { 'Content-Type': URLENCODED }, form(262_145)).expect(413);
  });

  describe('with an upload', () => {
    it('accepts a file of 8 MiB and passes it on in chunks', async () => {
      const longest = await measureChunks(service, () =>
        send(token(), part('text', `@ 300 A 192.0.2.1\n;${'c'.repeat(MAX_UPLOAD_BYTES - 19)}`))
          .expect(200)
          .expect(/1 added/),
      );

      expect(longest).toBeLessThanOrEqual(65_536);
    });

    it('rejects a file of more than 8 MiB', async () => {
      await send(token(), part('text', 'c'.repeat(MAX_UPLOAD_BYTES + 1))).expect(413);
    });

    it('rejects a too large Content-Length before reading the body', async () => {
      const head = [
        `POST ${zoneFile}/plan HTTP/1.1`,
        'Host: a',
        `Cookie: ${dashboard.cookies(`${zoneFile}/plan`)}`,
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
      ['a CSRF token after the file', 403, () => [part('text', '@ 300 A 192.0.2.1\n'), token()]],
      ['a second file', 413, () => [token(), part('text', '@ 300 A 192.0.2.1\n'), part('text', 'x')]],
      ['too many fields', 413, () => [token(), ...Array.from({ length: 20 }, (_, index) => part(`f${index}`, '1'))]],
      ['a long field besides the file', 413, () => [token(), part('expected', '1'.repeat(5_000))]],
    ])('rejects %s', async (_what, status, parts) => {
      await send(...parts()).expect(status);
    });

    it('rejects a form that is not multipart, has no boundary or is incomplete', async () => {
      await dashboard
        .raw(`${zoneFile}/plan`, { 'Content-Type': URLENCODED }, `_token=${dashboard.formToken}&text=x`)
        .expect(415);
      await dashboard.raw(`${zoneFile}/plan`, { 'Content-Type': 'multipart/form-data' }, token()).expect(400);
      await dashboard
        .raw(
          `${zoneFile}/plan`,
          { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
          `${token()}--${BOUNDARY}\r\nContent-Disp`,
        )
        .expect(400);
    });

    it('escapes the file in the preview and in the error page', async () => {
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

/** The length of the longest chunk of text that an import gets during `work`. */
async function measureChunks({ container }: TestService, work: () => PromiseLike<unknown>): Promise<number> {
  const useCase = container.get(ImportZoneFile);
  const plan = useCase.plan.bind(useCase);
  let longest = 0;
  useCase.plan = (command) => {
    const watched = function* () {
      for (const chunk of command.text) {
        longest = Math.max(longest, chunk.length);
        yield chunk;
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
