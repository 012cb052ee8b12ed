// dnscontrol preview shows the plan; dnscontrol push applies it.
var NONE = NewRegistrar('none');
var NAMEWRIGHT = NewDnsProvider('namewright');

D(
  'my-first-name.com',
  NONE,
  DnsProvider(NAMEWRIGHT),
  IGNORE('@', 'SOA'),
  NAMESERVER_TTL('1h'),
  NAMESERVER('ns1.names.example.com.'),
  NAMESERVER('ns2.names.example.com.'),
  MX('@', 10, 'mail.example.net.'),
  A('www', '192.0.2.1', TTL(300)),
  A('www', '192.0.2.2', TTL(300)),
);
