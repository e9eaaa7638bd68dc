import type { Erasure } from '../foundation/erasure.ts'

export const ticketsErasure: Erasure = {
  tables: {
    ticket_messages: { do: 'remove' },
    ticket_notes: { do: 'remove' },
    tickets: {
      do: 'blank',
      columns: { subject: 'Erased', description: 'Erased' },
      why: 'How many there were, and how soon they were answered, are figures of the brokerage.',
    },
  },
  joined: {
    ticket_reads: { owner: 'tickets', by: ['ticket_id'], ending: { do: 'keep', why: 'How far a colleague has read.' } },
  },
}
