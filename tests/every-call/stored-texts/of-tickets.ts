import { createTicket, respondToTicket } from '@atrium/contract/tickets/calls.ts'
import { addCannedReply, changeCannedReply, noteOnTicket, replyToTicket } from '@atrium/contract/tickets/desk-calls.ts'
import type pg from 'pg'
import { newId } from '../../../server/foundation/ids.ts'
import { addTicket } from '../../fixtures/tickets.ts'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import { graph, type StoredText } from './stored-text.ts'

const ownTickets = graph('{ tickets(limit: 1) { subject description conversation { content } } }')

/** Texts of tickets and canned replies. */
export function storedTicketTexts({ member }: TradingFixture, owner: pg.Client): StoredText[] {
  /** Clears the member's tickets, which are limited per hour. */
  const ticket = async (): Promise<string> => {
    await owner.query(`delete from rate_limits; delete from ticket_messages; delete from ticket_notes`)
    await owner.query(`delete from ticket_reads; delete from tickets`)
    return addTicket(member)
  }
  const shown: StoredText['shown'] = ({ id }) => [['staff', `/desk/api/tickets/${id}`]]
  const toBoth: StoredText['shown'] = ({ id }) => [
    ['staff', `/desk/api/tickets/${id}`],
    ['member', ownTickets],
  ]
  const replies: StoredText['shown'] = () => [['staff', '/desk/api/canned-replies']]
  const clearReplies = () => owner.query('delete from canned_replies')
  return [
    {
      call: createTicket,
      fields: ['subject', 'description'],
      async body() {
        await ticket()
        return { subject: 'Where is it?', description: 'My deposit has not arrived.' }
      },
      shown: (_, { ticket: made }) => [
        ['member', ownTickets],
        ['staff', `/desk/api/tickets/${(made as { _id: string })._id}`],
      ],
    },
    {
      call: respondToTicket,
      fields: ['response.content'],
      body: async () => ({ _id: await ticket(), response: { type: 'message', content: 'Hello' } }),
      shown: ({ _id }) => [
        ['member', ownTickets],
        ['staff', `/desk/api/tickets/${_id}`],
      ],
    },
    { call: replyToTicket, fields: ['content'], body: async () => ({ id: await ticket() }), shown: toBoth },
    { call: noteOnTicket, fields: ['content'], body: async () => ({ id: await ticket() }), shown },
    {
      call: addCannedReply,
      fields: ['name', 'content'],
      async body() {
        await clearReplies()
        return { name: 'Greeting', content: 'Good morning.' }
      },
      shown: replies,
    },
    {
      call: changeCannedReply,
      fields: ['name', 'content'],
      async body() {
        await clearReplies()
        const id = newId()
        await owner.query(
          `insert into canned_replies (workspace_id, reply_id, name, content, created_at)
           values ($1, $2, 'Greeting', 'Good morning.', now())`,
          [member.workspaceId, id],
        )
        return { id, name: 'Greeting', content: 'Good morning.' }
      },
      shown: replies,
    },
  ]
}
