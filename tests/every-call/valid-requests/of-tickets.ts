import { inTransaction } from '../../../server/foundation/database/database.ts'
import { newId } from '../../../server/foundation/ids.ts'
import { replyToTicket } from '../../../server/tickets/desk-answers.ts'
import { makePdf } from '../../fixtures/sample-files.ts'
import { addAttachable, addTicket } from '../../fixtures/tickets.ts'
import { actorOf, by, enterMember, enterStaff, type Fixture, type Person, type Prepare } from './valid-request.ts'

async function ticketOf(fixture: Fixture): Promise<{ person: Person; id: string }> {
  const person = await enterMember(fixture)
  return { person, id: await addTicket(await actorOf(fixture, person)) }
}

const byItsMember: Prepare = async (fixture) => {
  const { person, id } = await ticketOf(fixture)
  return by(person, { body: { _id: id } })
}

const byStaff: Prepare = async (fixture) => {
  const { id } = await ticketOf(fixture)
  return by(await enterStaff(fixture), { places: { id } })
}

async function aCannedReply({ setup: { system } }: Fixture): Promise<string> {
  const reply_id = newId()
  const created_at = system.context.clock.now()
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
  async (fixture) =>
    by(await enterStaff(fixture), { places: { id: await aCannedReply(fixture) }, body: body() })

export const requestsOfTickets: Record<string, Prepare> = {
  'POST /tickets/cp-create': async (fixture) => {
    const person = await enterMember(fixture)
    return by(person, { body: { customer: person.id } })
  },
  'POST /tickets/cp-update': byItsMember,
  'POST /tickets/cp-respond': async (fixture) => {
    const { person, id } = await ticketOf(fixture)
    const attachment = await addAttachable(fixture.setup.system, person.id)
    return by(person, { body: { _id: id, response: { type: 'attachment', attachment } } })
  },
  'POST /tickets/cp-read': async (fixture) => {
    const { person, id } = await ticketOf(fixture)
    await replyToTicket(fixture.setup.staff, { id, content: 'Good morning.', resolves: false })
    return by(person, { body: { _id: id } })
  },
  'POST /desk/api/tickets/:id/read': byStaff,
  'POST /desk/api/tickets/:id/assign': async (fixture) => {
    const { id } = await ticketOf(fixture)
    const staff = await enterStaff(fixture)
    return by(staff, { places: { id }, body: { from: null, to: staff.id } })
  },
  'POST /desk/api/tickets/:id/reply': byStaff,
  'POST /desk/api/tickets/:id/attach': async (fixture) => {
    const { id } = await ticketOf(fixture)
    return by(await enterStaff(fixture), { places: { id }, file: { name: 'form.pdf', content: makePdf() } })
  },
  'POST /desk/api/tickets/:id/note': byStaff,
  'POST /desk/api/tickets/:id/change': byStaff,
  'POST /desk/api/tickets/:id/merge': async (fixture) => {
    const { person, id } = await ticketOf(fixture)
    const into = await addTicket(await actorOf(fixture, person))
    return by(await enterStaff(fixture), { places: { id }, body: { into } })
  },
  'POST /desk/api/canned-replies/add': async (fixture) =>
    by(await enterStaff(fixture), { body: { name: newId(), content: 'Good morning.' } }),
  'POST /desk/api/canned-replies/:id/change': aboutCanned(() => ({ name: newId(), content: 'Good evening.' })),
  'POST /desk/api/canned-replies/:id/archive': aboutCanned(() => ({})),
}
