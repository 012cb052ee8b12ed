import { isIPv6 } from 'node:net';
import { NAMESPACES } from '../../codec/namespaces';
import { elementFactory, type XmlElement } from '../../codec/xml-element';
import { epp, query, transform, type EppCommand } from './command';
import { RESULT } from '../result-codes';

const host = elementFactory(NAMESPACES.host);

export function checkHosts(names: readonly string[]): EppCommand {
  return query(
    'host:check',
    epp(
      'check',
      host(
        'check',
        names.map((name) => host('name', name)),
      ),
    ),
  );
}

export function infoHost(name: string): EppCommand {
  return query('host:info', epp('info', host('info', host('name', name))));
}

export function createHost(name: string, addresses: readonly string[]): EppCommand {
  return transform('host:create', epp('create', host('create', [host('name', name), addresses.map(addressElement)])), {
    expected: [RESULT.exists],
  });
}

/** At least one address must be added or removed. */
export function updateHost(name: string, added: readonly string[], removed: readonly string[]): EppCommand {
  const changes = [
    added.length > 0 ? host('add', added.map(addressElement)) : undefined,
    removed.length > 0 ? host('rem', removed.map(addressElement)) : undefined,
  ];
  return transform('host:update', epp('update', host('update', [host('name', name), changes])));
}

export function deleteHost(name: string): EppCommand {
  return transform('host:delete', epp('delete', host('delete', host('name', name))));
}

function addressElement(address: string): XmlElement {
  return host('addr', address, { ip: ipVersionOf(address) });
}

export function ipVersionOf(address: string): 'v4' | 'v6' {
  return isIPv6(address) ? 'v6' : 'v4';
}
