import { inTransaction } from '../../../server/foundation/database.ts'
import { newId } from '../../../server/foundation/ids.ts'
import { replyToTicket } from '../../../server/tickets/desk-answers.ts'
import { makePdf } from '../../fixtures/sample-files.ts'
import { addAttachable, addTicket } from '../../fixtures/tickets.ts'
import { actorOf, by, enterMember, enterStaff, type Person, type Prepare, type Stage } from './valid-request.ts'

const complaint = { subject: 'Where is it?', description: 'My deposit has not arrived.', type: 'profile' }

async function ticketOf(stage: Stage): Promise<{ person: Person; id: string }> {
  const person = await enterMember(stage)
  return { person, id: await addTicket(await actorOf(stage, person)) }
}

const byItsMember =
  (body: object): Prepare =>
  async (stage) => {
    const { person, id } = await ticketOf(stage)
    return by(person, { body: { _id: id, ...body } })
  }

const byStaff =
  (body: object): Prepare =>
  async (stage) => {
    const { id } = await ticketOf(stage)
    return by(await enterStaff(stage), { places: { id }, body })
  }

async function aCannedReply({ floor: { system } }: Stage): Promise<string> {
  const reply_id = newId()
  const created_at = system.ground.clock.now()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('canned_replies')
      .values({ workspace_id: system.workspaceId, reply_id, name: reply_id, content: 'Good morning.', created_at })
      .execute(),
  )
  return reply_id
}

const aboutCanned =
  (body: () => object): Prepare =>
  async (stage) =>
    by(await enterStaff(stage), { places: { id: await aCannedReply(stage) }, body: body() })

export const requestsOfTickets: Record<string, Prepare> = {
  'POST /tickets/cp-create': async (stage) => {
    const person = await enterMember(stage)
    return by(person, { body: { ...complaint, customer: person.id } })
  },
  'POST /tickets/cp-update': byItsMember({ status: 'resolved', priority: 'high' }),
  'POST /tickets/cp-respond': async (stage) => {
    const { person, id } = await ticketOf(stage)
    const attachment = await addAttachable(stage.floor.system, person.id)
    return by(person, { body: { _id: id, response: { type: 'attachment', attachment } } })
  },
  'POST /tickets/cp-read': async (stage) => {
    const { person, id } = await ticketOf(stage)
    await replyToTicket(stage.floor.staff, { id, content: 'Good morning.', resolves: false })
    return by(person, { body: { _id: id } })
  },
  'POST /desk/api/tickets/:id/read': byStaff({}),
  'POST /desk/api/tickets/:id/assign': async (stage) => {
    const { id } = await ticketOf(stage)
    const staff = await enterStaff(stage)
    return by(staff, { places: { id }, body: { from: null, to: staff.id } })
  },
  'POST /desk/api/tickets/:id/reply': byStaff({ content: 'Good morning.' }),
  'POST /desk/api/tickets/:id/attach': async (stage) => {
    const { id } = await ticketOf(stage)
    return by(await enterStaff(stage), { places: { id }, file: { name: 'form.pdf', content: makePdf() } })
  },
  'POST /desk/api/tickets/:id/note': byStaff({ content: 'Asked twice already' }),
  'POST /desk/api/tickets/:id/change': byStaff({ status: 'resolved', priority: 'high' }),
  'POST /desk/api/tickets/:id/merge': async (stage) => {
    const { person, id } = await ticketOf(stage)
    const into = await addTicket(await actorOf(stage, person))
    return by(await enterStaff(stage), { places: { id }, body: { into } })
  },
  'POST /desk/api/canned-replies/add': async (stage) =>
    by(await enterStaff(stage), { body: { name: newId(), content: 'Good morning.' } }),
  'POST /desk/api/canned-replies/:id/change': aboutCanned(() => ({ name: newId(), content: 'Good evening.' })),
  'POST /desk/api/canned-replies/:id/archive': aboutCanned(() => ({})),
}
