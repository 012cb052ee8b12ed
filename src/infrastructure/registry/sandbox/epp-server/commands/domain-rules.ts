import type { GlueHost } from '../../../../../application/ports/registry/registry-port';
import { addDays } from '../../../../../domain/shared/time/calendar';
import type { Registration, StoredAuthCode } from '../../simulated/registration';
import { digestOf } from '../../simulated/registry-core';
import type { TldOffer } from '../../simulated/offers/tld-offer';
import { EppError } from '../epp-error';

/** @throws EppError */
export function assertSponsor({ sponsor }: Registration, registrar: string): void {
  if (sponsor !== registrar) throw new EppError(2201);
}

/** @throws EppError */
export function assertHostCount({ length }: readonly unknown[], { nameservers: { min, max } }: TldOffer): void {
  if (length < min || length > max) throw new EppError(2308, `A domain must have ${min} to ${max} nameservers`);
}

export function storedCode(password: string, { periods }: TldOffer, now: Date): StoredAuthCode {
  return { digest: digestOf(password), expiresAt: addDays(now, periods.authCode) };
}

export function glueOf(hosts: readonly GlueHost[]): readonly GlueHost[] {
  return hosts.filter(({ addresses }) => addresses.length > 0);
}
