import type { Erasure } from '../foundation/erasure.ts'

export const requestsErasure: Erasure = {
  tables: {
    requests: {
      do: 'blank',
      columns: { subject: 'Erased', description: null, comment: null, entity: null, wanted_change: null },
      why: 'Requests and their outcomes are business records.',
    },
    request_events: { do: 'blank', columns: { comment: null }, why: 'The outcome of a request is a business record.' },
  },
}
