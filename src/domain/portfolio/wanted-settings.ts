import type { ZoneSigning } from '../dns/dnssec/zone-signing';
import { normalizeHost } from '../registration/nameservers';
import type { Registrant } from '../registration/registrant';
import { normalizeTag } from '../shared/tags';
import type { DesiredSettings, SettingValues } from './desired-state';

/** The settings of a state as a name has them. What is not valid stays as it is. @param registrant that of the contact, if known */
export function wantedSettings(
  { contact: _contact, nameservers, tags, dnssec, ...switches }: DesiredSettings,
  registrant: Registrant | null | undefined,
): Partial<SettingValues> {
  return {
    ...switches,
    ...(nameservers && { nameservers: nameservers.map((host) => normalizeHost(host) ?? host) }),
    ...(registrant && { registrant }),
    ...(tags && { tags: [...new Set(tags.map((tag) => normalizeTag(tag) ?? tag))].toSorted() }),
    ...(dnssec && { dnssec: { enabled: dnssec.enabled, denial: dnssec.enabled ? (dnssec.denial ?? null) : null } }),
  };
}

export function dnssecOf(signing: ZoneSigning | undefined): SettingValues['dnssec'] {
  return signing?.isWanted ? { enabled: true, denial: signing.toState().denial } : { enabled: false, denial: null };
}

/** A state that does not tell the kind of denial takes the present one, or NSEC. */
export function withPresentDenial(
  wanted: Partial<SettingValues>,
  { dnssec: current }: SettingValues,
): Partial<SettingValues> {
  const { dnssec } = wanted;
  if (!dnssec?.enabled) return wanted;
  return { ...wanted, dnssec: { enabled: true, denial: dnssec.denial ?? current.denial ?? 'nsec' } };
}
