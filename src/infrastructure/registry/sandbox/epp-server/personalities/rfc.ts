import { NAMESPACES } from '../../../epp/codec/namespaces';
import type { Personality } from './personality';

/** The RFCs, without a registry's own rules. */
export const rfc: Personality = {
  extensions: [NAMESPACES.rgp, NAMESPACES.secDNS, NAMESPACES.fee, NAMESPACES.loginSec],
  contacts: { types: ['admin', 'billing', 'tech'] },
  authCodes: { issuedBy: 'client' },
  transfers: 'pending',
  accept: (request) => request,
};
