import type { Transaction } from '../funding.queries.ts'

const cardLabels: Record<string, string> = {
  amex: 'American Express',
  visa: 'Visa',
  discover: 'Discover',
  mastercard: 'Mastercard',
  jcb: 'JCB',
  maestro: 'Maestro',
  diners: 'Diners Club',
}

/** The means of payment, if the provider reported it; of a card, only its brand. */
export const cardLabel = ({ psp_transaction }: Pick<Transaction, 'psp_transaction'>): string | null =>
  cardLabels[psp_transaction?.card_type ?? ''] ?? null
