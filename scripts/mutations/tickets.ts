import type { Mutation } from './mutation.ts'

const members = ['server/tickets/tickets.test.ts', 'server/tickets/ticket-lists.test.ts']
const desk = ['server/tickets/desk-tickets.test.ts', 'server/tickets/desk-board.test.ts']

/** Tickets: ownership, assignment, and what members must not see. */
export const ticketMutations: Mutation[] = [
  {
    name: 'a file with another purpose can be attached to a ticket',
    file: 'server/tickets/message.ts',
    find: "  const said = validateUse(file, 'ticket')\n",
    replace: '  const said = null\n',
    tests: members,
    guards: 'T2',
  },
  {
    name: 'a file can be attached to two tickets',
    file: 'server/files/queries.ts',
    find: "at: ['ticket_messages', 'media_id']",
    replace: "at: ['ticket_messages', 'message_id']",
    tests: members,
    guards: 'T2',
  },
  {
    name: 'members can reach the table of internal notes',
    file: 'server/migrations/20261122-1820-tickets.sql',
    find: "select protect_table('ticket_notes', 'desk');",
    replace: "select protect_table('ticket_notes', 'own');",
    tests: [...members, ...desk],
    guards: 'T5',
  },
  {
    name: 'a viewer can answer members',
    file: 'contract/staff/rights.ts',
    find: "const reading: DeskRight[] = ['desk.use', 'members.read', 'money.read']",
    replace: "const reading: DeskRight[] = ['desk.use', 'members.read', 'money.read', 'tickets.answer']",
    tests: desk,
    guards: 'T4',
  },
  {
    name: 'a member can assign a ticket to a colleague',
    file: 'server/migrations/20261127-0110-tickets-in-progress-by-members.sql',
    find: '        or (new.taken_by is not null and new.taken_by is distinct from old.taken_by)\n',
    replace: '',
    tests: members,
    guards: 'T4',
  },
  {
    name: 'the mail about an answer contains the answer',
    file: 'server/tickets/notifications.ts',
    find: "Read the answer and reply in the portal.'",
    replace: "On its way.'",
    tests: desk,
    guards: 'P1',
  },
  {
    name: 'an answer that is sent again does not resolve its ticket',
    file: 'server/tickets/desk-answers.ts',
    find: "if (isRepeated && (!resolves || ticket.state === 'resolved')) return",
    replace: 'if (isRepeated) return',
    tests: ['server/tickets/desk-tickets.test.ts'],
    guards: 'M12',
  },
]
