import type { Erasure } from '../foundation/erasure.ts'

export const formsErasure: Erasure = {
  tables: {
    // Files attached to these answers become unattached, and are deleted too.
    form_answer_files: { do: 'remove' },
    form_answers: { do: 'remove' },
    form_drafts: { do: 'remove' },
  },
}
