import { AllowedHosts } from '../../../../src/http/mcp/allowed-hosts';

describe('the hosts of /mcp', () => {
  const hosts = new AllowedHosts({ publicUrl: 'https://names.example.com', hosts: ['namewright'] });

  it.each([
    ['names.example.com', undefined],
    ['names.example.com', 'https://names.example.com'],
    ['namewright:3000', undefined],
    ['localhost:3000', 'http://localhost:6274'],
    ['192.0.2.1:3000', undefined],
    ['[2001:db8::1]:3000', 'http://[2001:db8::1]:3000'],
  ])('accept Host %s with Origin %s', (host, origin) => {
    expect(() => hosts.assert(host, origin)).not.toThrow();
  });

  it.each([
    ['evil.example.com', undefined],
    ['evil.example.com', 'http://evil.example.com'],
    ['names.example.com.evil.example', undefined],
    ['names.example.com', 'https://evil.example.com'],
    ['192.0.2.1:3000', 'http://192.0.2.2'],
    ['localhost', 'null'],
    [undefined, undefined],
    ['a b', undefined],
  ])('refuse Host %s with Origin %s', (host, origin) => {
    expect(() => hosts.assert(host, origin)).toThrow(/not that of this service/);
  });
});
