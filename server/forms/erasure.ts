import type { Erasure } from '../foundation/erasure.ts'

export const formsErasure: Erasure = {
  tables: {
    // With them their files are attached to nothing, and go too.
    form_answer_files: { do: 'remove' },
    form_answers: { do: 'remove' },
    form_drafts: { do: 'remove' },
  },
}
