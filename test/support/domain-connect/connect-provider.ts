import { generateKeyPairSync, sign } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const SPKI = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

/** A service provider with one template, whose links are signed. */
export const PROVIDER = {
  providerId: 'provider.example',
  serviceId: 'shop',
  keyDomain: 'keys.provider.example',
  template: {
    providerId: 'provider.example',
    providerName: 'Example Provider',
    serviceId: 'shop',
    serviceName: 'Web shop',
    version: 3,
    syncPubKeyDomain: 'keys.provider.example',
    syncRedirectDomain: 'provider.example,provider.localhost',
    records: [
      { type: 'A', host: '@', pointsTo: '%ip%', ttl: 600 },
      { type: 'CNAME', host: 'www', pointsTo: '@', ttl: 600 },
      { type: 'TXT', host: '_shop', data: 'token=%token%', ttl: 600 },
    ],
  },
} as const;

/** Another one that signs nothing. */
export const UNSIGNED = {
  providerId: 'plain.example',
  serviceId: 'plain',
  template: {
    providerId: 'plain.example',
    providerName: 'Plain Provider',
    serviceId: 'plain',
    serviceName: 'Plain service',
    warnPhishing: true,
    records: [{ type: 'A', host: '@', pointsTo: '%ip%', ttl: 600 }],
  },
} as const;

/** As in a checkout of templates. */
export function templateFile(template: { readonly providerId: string; readonly serviceId: string }) {
  return { name: `${template.providerId}.${template.serviceId}.json`, text: JSON.stringify(template) };
}

/** The TXT record with the key, in two parts, as `StubResolver` takes it. */
export function keyRecords(name = `_dck1.${PROVIDER.keyDomain}`): readonly string[] {
  const half = SPKI.length / 2;
  return [`${name} 60 TXT p=1,a=RS256,d=${SPKI.slice(0, half)}`, `${name} 60 TXT p=2,a=RS256,d=${SPKI.slice(half)}`];
}

export function applyPath({
  providerId,
  serviceId,
}: { readonly providerId: string; readonly serviceId: string } = PROVIDER): string {
  return `/v2/domainTemplates/providers/${providerId}/services/${serviceId}/apply`;
}

/** The path and query of a link that the provider has signed. */
export function signedLink(parameters: Readonly<Record<string, string>>, key = '_dck1'): string {
  const query = new URLSearchParams(parameters).toString();
  const sig = sign('sha256', Buffer.from(query), privateKey).toString('base64');
  return `${applyPath()}?${query}&sig=${encodeURIComponent(sig)}&key=${key}`;
}
