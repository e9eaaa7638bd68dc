/**
 * What an amount field takes while somebody types: digits and one decimal point. Anything else leaves the field as it
 * was; a pasted "1.250,00" is not repaired, because guessing what was meant is not for us when it is money.
 */
export function nextAmountText(current: string, typed: string): string {
  return /^\d*\.?\d*$/.test(typed) ? typed : current
}
