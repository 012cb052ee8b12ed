import type { ApiResponse } from './caller';

/** The version that the zone has with what was written, and at least with what is listed; as a tag to be sent back in If-Match. */
export function zoneVersionHeaders(version: number): Record<string, string> {
  return { 'Zone-Version': String(version), ETag: `"${version}"` };
}

export function tellZoneVersion(res: ApiResponse, version: number): void {
  res.set(zoneVersionHeaders(version));
}
