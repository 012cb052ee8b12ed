import { token } from '../inject';

export interface TokenGenerator {
  /** 256 random bits in base64url. */
  token(): string;
  /** A password that a person can type: five groups of letters and digits, none of them easily mistaken. */
  password(): string;
}
export const TokenGenerator = token<TokenGenerator>('TokenGenerator');
