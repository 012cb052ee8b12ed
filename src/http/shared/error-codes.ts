import type { ErrorCode, InterfaceErrorCode } from '../../domain/shared/error-code';

interface ErrorCodeEntry {
  readonly status: number;
  /** One line for docs/api/errors.md. */
  readonly meaning: string;
}

/** The error codes of the API. A test holds docs/openapi.yaml and the table of docs/api/errors.md against it. */
export const INTERFACE_ERRORS: Record<InterfaceErrorCode, ErrorCodeEntry> = {
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'The request is malformed, or members or parameters are invalid or unknown',
  },
  INVALID_NAMESERVERS: { status: 400, meaning: 'The list of nameservers is invalid' },
  INVALID_RECORD_TYPE: { status: 400, meaning: 'The record type is not supported' },
  INVALID_RECORD_NAME: { status: 400, meaning: 'The record name is not valid in this zone' },
  INVALID_RECORD_CONTENT: { status: 400, meaning: 'The record content is not valid for its type' },
  CNAME_AT_ROOT: { status: 400, meaning: 'A CNAME at the zone apex' },
  MISSING_PRIORITY: { status: 400, meaning: 'An MX or SRV record without priority' },
  INVALID_API_KEY: {
    status: 401,
    meaning: 'The API key is missing, invalid, expired or revoked; with `WWW-Authenticate`',
  },
  INSUFFICIENT_SCOPE: { status: 403, meaning: 'The scope or a limit of the key does not allow it' },
  DOMAIN_NOT_FOUND: { status: 404, meaning: 'No such domain in this account' },
  ZONE_NOT_FOUND: { status: 404, meaning: 'No such zone in this account' },
  OPERATION_NOT_FOUND: { status: 404, meaning: 'No such operation in this account' },
  TRANSFER_NOT_FOUND: { status: 404, meaning: 'No such transfer in this account' },
  IMPORT_NOT_FOUND: { status: 404, meaning: 'No such import in this account' },
  PROPOSAL_NOT_FOUND: { status: 404, meaning: 'No such proposal in this account' },
  BULK_JOB_NOT_FOUND: { status: 404, meaning: 'No such bulk job in this account' },
  RECORD_NOT_FOUND: { status: 404, meaning: 'No such record in this zone' },
  VERSION_NOT_FOUND: { status: 404, meaning: 'The version of the zone does not exist or is no longer kept' },
  TEMPLATE_NOT_FOUND: { status: 404, meaning: 'No such record template in this account' },
  CONNECTED_SERVICE_NOT_FOUND: { status: 404, meaning: 'No such service is connected to this domain' },
  WEBHOOK_NOT_FOUND: { status: 404, meaning: 'No such webhook in this account' },
  TRUST_RULE_NOT_FOUND: { status: 404, meaning: 'No such trust rule in this account' },
  DELIVERY_NOT_FOUND: { status: 404, meaning: 'The webhook has no such delivery, or it is no longer kept' },
  NOT_FOUND: { status: 404, meaning: 'No such path' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path has no such method; with `Allow`' },
  DOMAIN_UNAVAILABLE: { status: 409, meaning: 'The name cannot be registered' },
  DOMAIN_STATUS_CONFLICT: { status: 409, meaning: 'The status of the domain does not allow it' },
  OPERATION_IN_PROGRESS: {
    status: 409,
    meaning: 'The outcome of an earlier operation of this kind is unknown; with `Retry-After`',
  },
  PROPOSAL_CLOSED: { status: 409, meaning: 'The proposal is decided, or no longer does what its plan says' },
  ZONE_EXISTS: { status: 409, meaning: 'The name has a zone already' },
  ZONE_NOT_VERIFIED: { status: 409, meaning: 'It is not proven yet that the name is the account’s' },
  RECORD_CONFLICT: { status: 409, meaning: 'The record contradicts or repeats another one' },
  WEBHOOK_NOT_ACTIVE: { status: 409, meaning: 'The webhook is paused or switched off' },
  LIMIT_EXCEEDED: { status: 409, meaning: 'A limit of the account, the zone or the RRset' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, meaning: 'The Idempotency-Key belongs to another request' },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    meaning: 'The first request with this key is still running; with `Retry-After`',
  },
  EVENTS_REMOVED: { status: 410, meaning: 'Events after this one are no longer kept' },
  PRECONDITION_FAILED: { status: 412, meaning: 'What is to be changed is not at the version that If-Match names' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The body has another media type, charset or encoding' },
  ZONE_SOURCE_FAILED: {
    status: 422,
    meaning: 'Another nameserver refused or did not respond, or its address is not allowed',
  },
  REGISTRY_REJECTED: { status: 422, meaning: 'The registry refused; nothing was changed' },
  RATE_LIMIT_EXCEEDED: { status: 429, meaning: 'Too many requests; with `Retry-After`' },
  INTERNAL_ERROR: { status: 500, meaning: 'A defect of the service; the log has the details' },
  REGISTRY_UNAVAILABLE: { status: 503, meaning: 'The registry does not respond in time; with `Retry-After`' },
  SERVICE_UNAVAILABLE: { status: 503, meaning: 'The database is not available; with `Retry-After`' },
};

/** Used by the dashboard only. */
const DASHBOARD_STATUS: Record<Exclude<ErrorCode, InterfaceErrorCode>, number> = {
  ACCOUNT_CHOICE_NEEDED: 409,
  WRONG_CREDENTIALS: 401,
  ROLE_FORBIDS: 403,
  FORM_EXPIRED: 403,
  SETUP_LINK_INVALID: 404,
};

/** A code without a status does not compile. */
export const STATUS: Record<ErrorCode, number> = {
  ...(Object.fromEntries(Object.entries(INTERFACE_ERRORS).map(([code, { status }]) => [code, status])) as Record<
    InterfaceErrorCode,
    number
  >),
  ...DASHBOARD_STATUS,
};
