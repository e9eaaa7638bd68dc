import type { Erasure } from '../foundation/erasure.ts'

export const termsErasure: Erasure = {
  tables: {
    terms_acceptances: { do: 'keep', why: 'What was agreed to, when and from where is proof of the contract.' },
  },
}
