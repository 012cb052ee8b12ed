/** What the SecretBox seals the auth code of a transfer for. */
export function authCodePurpose(transferId: string): string {
  return `transfer:${transferId}`;
}
