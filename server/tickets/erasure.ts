import type { Erasure } from '../foundation/erasure.ts'

export const ticketsErasure: Erasure = {
  tables: {
    ticket_messages: { do: 'remove' },
    ticket_notes: { do: 'remove' },
    tickets: {
      do: 'blank',
      columns: { subject: 'Erased', description: 'Erased' },
      why: 'The number of tickets and their response times are statistics of the brokerage.',
    },
  },
  joined: {
    ticket_reads: {
      owner: 'tickets',
      by: ['ticket_id'],
      ending: { do: 'keep', why: 'Records how far a staff member has read, and nothing about the member.' },
    },
  },
}
