const zerosBehind = /0+$/
const pointBehind = /\.$/

/** 23 for 23.00 and 23.5 for 23.50, for providers that refuse trailing zeros. */
export const withoutTrailingZeros = (amount: string): string =>
  amount.includes('.') ? amount.replace(zerosBehind, '').replace(pointBehind, '') : amount
