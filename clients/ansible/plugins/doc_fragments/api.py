class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  url:
    description: The URL of the service. Default is C(NAMEWRIGHT_URL).
    type: str
  api_key:
    description: An API key with WRITE scope; READ is enough for check mode without changes. Default is C(NAMEWRIGHT_API_KEY).
    type: str
  validate_certs:
    description: Whether to check the TLS certificate of the service.
    type: bool
    default: true
  timeout:
    description: Seconds for one attempt of a request.
    type: int
    default: 30
notes:
  - Runs where the module runs. C(delegate_to=localhost) keeps the API key on the controller.
  - A request without a response is repeated with the same Idempotency-Key, so nothing is changed or bought twice.
  - Supports C(check_mode) and C(diff_mode).
"""
