/**
 * What an amount field takes while somebody types: digits and one decimal point, and no more decimals than the currency
 * has. Anything else leaves the field as it was; a pasted "1.250,00" is not repaired, because guessing what was meant is
 * not for us when it is money. What has too many decimals already, since the account was changed to one of another
 * currency, may still be corrected.
 */
export function nextAmountText(current: string, typed: string, decimalsMax = Number.POSITIVE_INFINITY): string {
  if (!/^\d*\.?\d*$/.test(typed)) return current
  // A currency without decimals has no use for the point either.
  const placesMax = decimalsMax === 0 ? -1 : decimalsMax
  return placesOf(typed) <= Math.max(placesMax, placesOf(current)) ? typed : current
}

/** Digits behind the point; below zero without a point. */
function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? -1
}
