/** Faults of a registry's response on its way to the service. */
export const RESPONSE_FAULTS = ['lost', 'late', 'duplicated'] as const;
export type ResponseFault = (typeof RESPONSE_FAULTS)[number];
