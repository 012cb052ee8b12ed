/** Every code that a caller of the interface can meet in an answer. */
export type InterfaceErrorCode =
  | 'INVALID_API_KEY'
  | 'INSUFFICIENT_SCOPE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'DOMAIN_NOT_FOUND'
  | 'DOMAIN_UNAVAILABLE'
  | 'DOMAIN_STATUS_CONFLICT'
  | 'INVALID_NAMESERVERS'
  | 'OPERATION_NOT_FOUND'
  | 'OPERATION_IN_PROGRESS'
  | 'RECORD_NOT_FOUND'
  | 'RECORD_CONFLICT'
  | 'PRECONDITION_FAILED'
  | 'VERSION_NOT_FOUND'
  | 'LIMIT_EXCEEDED'
  | 'INVALID_RECORD_TYPE'
  | 'INVALID_RECORD_NAME'
  | 'INVALID_RECORD_CONTENT'
  | 'CNAME_AT_ROOT'
  | 'MISSING_PRIORITY'
  | 'VALIDATION_ERROR'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'REGISTRY_REJECTED'
  | 'REGISTRY_UNAVAILABLE'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** Met by people in the dashboard only; the interface never answers these. */
type DashboardErrorCode =
  'ACCOUNT_CHOICE_NEEDED' | 'WRONG_CREDENTIALS' | 'SETUP_LINK_INVALID' | 'ROLE_FORBIDS' | 'FORM_EXPIRED';

/** The HTTP layer has one status for each. */
export type ErrorCode = InterfaceErrorCode | DashboardErrorCode;
