/** Supported record types, in the order of error messages and forms. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'] as const;

export type RecordType = (typeof RECORD_TYPES)[number];
