import { isIPv6 } from 'node:net';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf } from '../codec/xml-element';
import { booleanOf } from './data-types';
import type { EppResponse } from './response';

const HOST = NAMESPACES.host;

/** The hosts of a check response that do not exist. */
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

/** The RFC 5952 form of an IPv6 address, which is also the URL standard's. */
export function canonicalAddress(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
