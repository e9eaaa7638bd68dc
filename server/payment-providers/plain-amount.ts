const zerosBehind = /0+$/
const pointBehind = /\.$/

/** 23 and 23.5 where we write 23.00 and 23.50, for providers that want no zeros behind. */
export const plainAmount = (amount: string): string =>
  amount.includes('.') ? amount.replace(zerosBehind, '').replace(pointBehind, '') : amount
