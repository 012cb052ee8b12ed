/** Premium names with their yearly prices in minor units of `PRICE_LIST_CURRENCY`. */
export const PREMIUM_PRICES: ReadonlyMap<string, { readonly registration: number; readonly renewal: number }> = new Map(
  [
    ['gold.com', { registration: 25_000_00, renewal: 10_44 }],
    ['coffee.shop', { registration: 1_250_00, renewal: 1_250_00 }],
    ['crypto.app', { registration: 3_500_00, renewal: 3_500_00 }],
    ['hotel.xyz', { registration: 390_00, renewal: 390_00 }],
    ['music.live', { registration: 780_00, renewal: 780_00 }],
    ['one.dev', { registration: 900_00, renewal: 900_00 }],
  ],
);
