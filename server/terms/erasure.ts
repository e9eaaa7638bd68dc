import type { Erasure } from '../foundation/erasure.ts'

export const termsErasure: Erasure = {
  tables: {
    terms_acceptances: { do: 'keep', why: 'What was accepted, when and from where proves the contract.' },
  },
}
