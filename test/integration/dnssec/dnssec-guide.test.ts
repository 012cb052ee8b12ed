import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUTHENTIC_DATA, decode, RECURSION_DESIRED } from 'dns-packet';
import { describeOrSkip } from '../../support/describe-or-skip';
import { startSandboxRegistry } from '../../support/epp/sandbox-registry';
import { freePort } from '../../support/free-port';
import { missing, Nameserver, program } from '../../support/nameservers/nameserver';
import { requestFor, sendUdp } from '../../support/nameservers/primary-client';

const GUIDE = readFileSync('docs/sandbox-registry.md', 'utf8');

describeOrSkip(missing('knotd', 'keymgr', 'unbound', 'kdig'))('DNSSEC in the guide of the sandbox registry', () => {
  it('lets unbound validate answers of a TLD that Knot signs', async () => {
    const registry = await startSandboxRegistry();
    const stops = [() => registry.stop()];
    const folder = Nameserver.createFolder();
    const { port: dnsPort } = await registry.server.listenDns({ address: '127.0.0.1', port: 0 });
    const ports: Record<string, number> = { 5300: dnsPort, 5301: await freePort(), 5302: await freePort() };
    const write = (file: string) => {
      const text = new RegExp(`# /tmp/tld/${file}\n([\\s\\S]*?)\n\`\`\``).exec(GUIDE)?.[1] ?? '';
      const here = text.replaceAll('/tmp/tld', folder).replaceAll(/(?<=@)\d+/g, (port) => String(ports[port] ?? port));
      writeFileSync(join(folder, file), `${here}\n`);
      return join(folder, file);
    };
    try {
      const knotConf = write('knot.conf');
      const plan = { name: 'tld', folder, port: ports['5301'] ?? 0 };
      const knot = new Nameserver(plan, [program('knotd') ?? '', '-c', knotConf]);
      stops.push(() => knot.stop());
      await knot.start();
      while ((await knot.querySerial('com')) === undefined);
      writeFileSync(join(folder, 'com.ds'), execFileSync(program('keymgr') ?? '', ['-c', knotConf, 'com.', 'ds']));
      const resolver = { address: '127.0.0.1', port: ports['5302'] ?? 0 };
      const unbound = new Nameserver({ name: 'resolver', folder, port: resolver.port }, [
        program('unbound') ?? '',
        '-c',
        write('unbound.conf'),
      ]);
      stops.push(() => unbound.stop());
      await unbound.start();

      const request = requestFor({ name: 'com', type: 'SOA' }, { flags: RECURSION_DESIRED | AUTHENTIC_DATA });
      const response = decode((await sendUdp(resolver, request)) ?? Buffer.alloc(0));

      expect(response).toMatchObject({ rcode: 'NOERROR', flag_ad: true });
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  });
});
