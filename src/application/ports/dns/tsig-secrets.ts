import { token } from '../inject';

export interface TsigSecrets {
  /** 32 random bytes. */
  next(): Buffer;
}
export const TsigSecrets = token<TsigSecrets>('TsigSecrets');
