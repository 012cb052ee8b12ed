export interface TsigSecrets {
  /** 32 random bytes. */
  next(): Buffer;
}
export const TsigSecrets = Symbol('TsigSecrets');
