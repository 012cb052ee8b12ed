/** The types that the service keeps, in the order in which they are listed to callers. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'] as const;

export type RecordType = (typeof RECORD_TYPES)[number];
