import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import type { DnsServices } from '../../../src/cli/topics/dns-commands';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { dnsServices, TSIG_SECRET } from '../../support/use-cases/dns-services';
import { UseCaseContext } from '../../support/use-cases/use-case-context';

async function run(dns: DnsServices, line: string): Promise<string> {
  const command = parseCommand(line.split(' '));
  if (command.kind === 'help') throw new Error('help was asked for');
  return command.run({ dns } as CommandServices);
}

const SECRET = TSIG_SECRET.toString('base64');

describe('the operator’s commands about nameservers', () => {
  it('print a new key once, as dig -y takes it, and list it without its secret', async () => {
    const dns = dnsServices();

    expect(await run(dns, 'dns tsig create Knot1.')).toBe(`hmac-sha256:knot1:${SECRET}`);
    expect(await run(dns, 'dns tsig list --json')).not.toContain(SECRET);
    expect(await run(dns, 'dns tsig list')).toBe('hmac-sha256\tactive\t2026-03-01T12:00:00.000Z\tknot1');
  });

  it.each([
    'dns tsig create k --algorithm hmac-md5',
    'dns tsig create a..b',
    'dns tsig create knot1',
    'dns tsig revoke unknown',
  ])('refuse %s', async (line) => {
    const dns = dnsServices();
    await run(dns, 'dns tsig create knot1');

    await expect(run(dns, line)).rejects.toThrow(ValidationError);
  });

  it('add a secondary under the only key there is', async () => {
    const dns = dnsServices();
    await run(dns, 'dns tsig create knot1');

    await run(dns, 'dns secondary add ns1 192.0.2.1');
    await run(dns, 'dns secondary add ns2 2001:db8::1 --signs');
    await run(dns, 'dns secondary add ns3 [2001:db8::1]:5353');

    expect(await run(dns, 'dns secondary list')).toBe(
      '192.0.2.1:53\tknot1\tserves\t2026-03-01T12:00:00.000Z\tns1\n[2001:db8::1]:53\tknot1\tsigns\t2026-03-01T12:00:00.000Z\tns2\n[2001:db8::1]:5353\tknot1\tserves\t2026-03-01T12:00:00.000Z\tns3',
    );
    await run(dns, 'dns secondary remove ns2');
    expect(await run(dns, 'dns secondary list')).not.toContain('ns2');
  });

  it.each([
    'dns secondary add ns1 192.0.2.1',
    'dns secondary add ns9 ns1.example.com --key knot1',
    'dns secondary add ns9 192.0.2.1:0 --key knot1',
    'dns secondary add ns9 192.0.2.1:65536 --key knot1',
    'dns secondary add ns9 192.0.2.1 --key unknown',
    'dns secondary add NS_9 192.0.2.1 --key knot1',
    'dns secondary remove ns9',
  ])('refuse %s', async (line) => {
    const dns = dnsServices();
    await run(dns, 'dns tsig create knot1');
    await run(dns, 'dns tsig create knot2');
    await run(dns, 'dns secondary add ns1 192.0.2.1 --key knot1');

    await expect(run(dns, line)).rejects.toThrow(ValidationError);
  });

  it('raise the versions of zones once, with the first secondary that signs', async () => {
    const around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1' });
    const dns = dnsServices({}, around.storage);
    await run(dns, 'dns tsig create k');

    await run(dns, 'dns secondary add a 192.0.2.1 --signs');
    await run(dns, 'dns secondary add b 192.0.2.2 --signs');

    expect(around.storage.tables.zones.get('dom_1')).toMatchObject({ version: 2 });
  });

  it('knot-config names every primary as a master and admits NOTIFY from each', async () => {
    const dns = dnsServices();
    await run(dns, 'dns tsig create k');
    await run(dns, 'dns secondary add a 192.0.2.1');

    const printed = await run(
      dns,
      'dns knot-config --primary 192.0.2.8 --primary [2001:db8::9]:5353 --primary 192.0.2.8@5354',
    );

    expect(printed).toContain('- id: namewright-1\n    address: 192.0.2.8@5354\n');
    expect(printed).toContain('- id: namewright-2\n    address: 2001:db8::9@5353\n');
    expect(printed).toContain('    address: [192.0.2.8, 2001:db8::9]\n');
    expect(printed.match(/master: \[namewright-1, namewright-2\]/g)).toHaveLength(2);
    expect(printed).not.toContain('namewright-3');
  });

  it('knot-config keeps Knot from planning its own NOTIFY, which would defer the next transfer by up to a second', async () => {
    const dns = dnsServices();
    await run(dns, 'dns tsig create k');
    await run(dns, 'dns secondary add a 192.0.2.1');

    const printed = await run(dns, 'dns knot-config --primary 192.0.2.8 --primary 192.0.2.9');

    expect(printed.match(/ {4}key: k\n {4}block-notify-after-transfer: on\n/g)).toHaveLength(2);
  });

  it('pdns-config names every primary and admits NOTIFY from each', async () => {
    const dns = dnsServices();
    await run(dns, 'dns tsig create k');
    await run(dns, 'dns secondary add a 192.0.2.1');

    const printed = await run(dns, 'dns pdns-config --primary 192.0.2.8 --primary [2001:db8::9]:5353');

    expect(printed).toContain('allow-notify-from=192.0.2.8,2001:db8::9\n');
    expect(printed).toContain('create-secondary-zone catalog.example 192.0.2.8:5354 [2001:db8::9]:5353\n');
  });

  it.each(['dns knot-config', 'dns pdns-config'])('%s rejects a wildcard address among its primaries', async (line) => {
    const dns = dnsServices();
    await run(dns, 'dns tsig create k');
    await run(dns, 'dns secondary add a 192.0.2.1');

    await expect(run(dns, `${line} --primary 192.0.2.8 --primary 0.0.0.0`)).rejects.toThrow(
      expect.objectContaining({ details: expect.stringContaining('primary must be the address') }),
    );
  });

  it('lift all versions far, and not too far for serial arithmetic', async () => {
    const around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1' });

    await run(dnsServices({}, around.storage), 'dns raise-versions');

    expect(around.storage.tables.zones.get('dom_1')).toMatchObject({ version: 1 + 2 ** 20 });
    expect(around.storage.tables.catalogVersion).toBe(1 + 2 ** 20);
  });

  it.each(['dns knot-config', 'dns pdns-config'])(
    '%s needs a secondary, a live key, and an address that can be reached',
    async (line) => {
      const dns = dnsServices({ primary: { address: '0.0.0.0', port: 53 } });
      await expect(run(dns, line)).rejects.toThrow(
        expect.objectContaining({ details: expect.stringContaining('secondary is missing') }),
      );
      await run(dns, 'dns tsig create k');
      await run(dns, 'dns secondary add a 192.0.2.1');

      await expect(run(dns, line)).rejects.toThrow(
        expect.objectContaining({ details: expect.stringContaining('primary must be the address') }),
      );
      await expect(run(dns, `${line} --primary 192.0.2.9 --dir a'b`)).rejects.toThrow(
        expect.objectContaining({ details: expect.stringContaining('dir must be') }),
      );
      expect(await run(dns, `${line} --primary 192.0.2.9 --dir /srv/ns`)).toContain(SECRET);
      await run(dns, 'dns secondary add b 192.0.2.2');
      await expect(run(dns, line)).rejects.toThrow(
        expect.objectContaining({ details: 'secondary must be one of a, b' }),
      );
      await run(dns, 'dns tsig revoke k');
      await expect(run(dns, `${line} --secondary a`)).rejects.toThrow(
        expect.objectContaining({ details: expect.stringContaining('k is revoked') }),
      );
    },
  );
});
