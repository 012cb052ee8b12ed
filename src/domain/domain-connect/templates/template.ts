/** Whether an applied template stands or falls with a record: `Always`, or `OnApply` if the record may go later. */
export type Essential = 'Always' | 'OnApply';

/** Which TXT records of the same name make way for a TXT record of a template. */
export type TxtConflict = { readonly mode: 'None' | 'All' } | { readonly mode: 'Prefix'; readonly prefix: string };

/** One record of a template. Texts can have `%variables%`; numbers are digits or one variable. */
export interface TemplateRecord {
  /** In capital letters: a type of DNS, or `SPFM` or `APEXCNAME`. */
  readonly type: string;
  /** `host`, of an SRV record `name`: relative to the applied host unless it ends in a dot. */
  readonly host: string;
  /** `pointsTo`, `target`, `data` or `spfRules`. */
  readonly data: string;
  /** The member of the JSON object that has `data`, for errors. */
  readonly dataField: DataField;
  readonly ttl?: string;
  readonly priority?: string;
  readonly weight?: string;
  readonly port?: string;
  readonly service?: string;
  readonly protocol?: string;
  readonly txtConflict: TxtConflict;
  readonly groupId?: string;
  readonly essential: Essential;
}

export type DataField = 'pointsTo' | 'target' | 'data' | 'spfRules';

/** A template of a service provider (draft-ietf-dconn-domainconnect-03, "Template Definition"). */
export interface Template {
  readonly providerId: string;
  readonly providerName: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly version?: number;
  readonly logoUrl?: string;
  /** For developers; not to be shown to users. */
  readonly description?: string;
  /** For developers; not to be shown to users. */
  readonly variableDescription?: string;
  /** The synchronous flow is not allowed. */
  readonly syncBlock: boolean;
  /** The request may add to the name of the provider. */
  readonly sharedProviderName: boolean;
  /** The request may add to the name of the service. */
  readonly sharedServiceName: boolean;
  /** Requests must be signed with a key that is published there. */
  readonly syncPubKeyDomain?: string;
  /** Domains that the browser may be sent back to; lower case. */
  readonly syncRedirectDomains: readonly string[];
  readonly multiInstance: boolean;
  readonly warnPhishing: boolean;
  readonly hostRequired: boolean;
  readonly records: readonly TemplateRecord[];
}
