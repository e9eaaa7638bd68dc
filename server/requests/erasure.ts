import type { Erasure } from '../foundation/erasure.ts'

export const requestsErasure: Erasure = {
  tables: {
    requests: {
      do: 'blank',
      columns: { subject: 'Erased', description: null, comment: null, entity: null, wanted_change: null },
      why: 'What was asked of the brokerage, and what became of it, is part of its books.',
    },
    request_events: { do: 'blank', columns: { comment: null }, why: 'What became of a request is part of the books.' },
  },
}
