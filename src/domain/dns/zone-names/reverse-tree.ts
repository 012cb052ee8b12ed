export const IPV4_REVERSE = 'in-addr.arpa';
export const IPV6_REVERSE = 'ip6.arpa';
/** The first address of a part of a /24 network, and its prefix length. */
const CLASSLESS_LABEL = /^\d{1,3}\/\d{1,2}$/;

/** Whether a lower-case name is in the tree of reverse zones. */
export function isReverseName(name: string): boolean {
  return isIpv4ReverseName(name) || isIpv6ReverseName(name);
}

export function isIpv6ReverseName(name: string): boolean {
  return `.${name}`.endsWith(`.${IPV6_REVERSE}`);
}

/** Whether a label with a slash, such as `0/26`, is valid in a name because that is a reverse name (RFC 2317, section 4). */
export function isClasslessLabel(label: string, name: string): boolean {
  return CLASSLESS_LABEL.test(label) && isIpv4ReverseName(name);
}

function isIpv4ReverseName(name: string): boolean {
  return `.${name}`.endsWith(`.${IPV4_REVERSE}`);
}
