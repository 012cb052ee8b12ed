import { isIPv6 } from 'node:net';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf } from '../codec/xml-element';
import { booleanOf } from './data-types';
import type { EppResponse } from './response';

const HOST = NAMESPACES.host;

/** The hosts that the registry does not have yet, of those that were asked for. */
export function missingHosts({ resData }: Pick<EppResponse, 'resData'>): readonly string[] {
  const names = childrenOf(childOf(resData, HOST, 'chkData'), HOST, 'cd').map((cd) => childOf(cd, HOST, 'name'));
  return names.flatMap((name) =>
    name && booleanOf(name.attributes.get('avail')) ? [tokenOf(name)?.toLowerCase() ?? ''] : [],
  );
}

export function hostAddresses({ resData }: Pick<EppResponse, 'resData'>): readonly string[] {
  return childrenOf(childOf(resData, HOST, 'infData'), HOST, 'addr').map((address) =>
    canonicalAddress(tokenOf(address) ?? ''),
  );
}

/** However the registry writes it. The URL standard writes IPv6 addresses as RFC 5952 does. */
export function canonicalAddress(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
