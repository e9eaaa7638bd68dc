import type { Access } from '@atrium/contract/call.ts'
import { staffRoles } from '@atrium/contract/desk-rights.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { type System, systemActor } from '../../../server/foundation/actor.ts'
import { fillEveryTable } from '../../catalogue/every-table.ts'
import { markVictim, pictureOf, type Victim } from '../../catalogue/other-tenant.ts'
import { paperMedia } from '../../fixtures/documents.ts'
import { makeGround, productionMode } from '../../fixtures/ground.ts'
import { addMedia } from '../../fixtures/requests.ts'
import { addAttachable } from '../../fixtures/tickets.ts'
import { addMember, addStaff } from '../../fixtures/workspaces.ts'
import { type LiveRoute, openWithRoutes } from '../routes.ts'

export type Actor = {
  name: string
  kind: Access
  role?: string
  system: System
  host: string
  personId: string | null
  /** Values of this person's own for fields whose content matters. */
  own: Record<string, string>
}

/**
 * Every route and every field, asked by everybody whose business it is not, with every id of somebody else's rows in every
 * place that takes one. Routes come from the router, fields from the schema, ids and secrets from the catalogue: what is
 * added later is in the matrix by itself, and what the matrix cannot fill fails it. Three files of tests share it.
 */
export type Matrix = {
  app: FastifyInstance
  routes: LiveRoute[]
  owner: pg.Client
  victim: Victim
  /** Everybody whose business the victim's rows are not. */
  actors: Actor[]
  theMember: Actor
  theStaff: Actor
  /** Every row of the victim, as it was before anybody asked. */
  atStart: Record<string, unknown[]>
  close(): Promise<void>
}

export async function openMatrix(): Promise<Matrix> {
  // As in production, where no page of developers is open.
  const made = await makeGround({ environment: productionMode })
  const { app, routes } = await openWithRoutes(made.ground)
  const owner = new pg.Client({ connectionString: made.ownerUrl })
  await owner.connect()
  const here = await fillEveryTable(made.ground, 'here')
  const there = await fillEveryTable(made.ground, 'there')
  // Nobody is behind it here: whoever begins a check would be told that it cannot be reached.
  await owner.query('update identity_vendors set enabled = false')
  // Not attached to anything yet: what is attached would be refused for that alone.
  const ours = systemActor(made.ground, here.workspaceId)
  await addMedia(ours, { memberId: here.memberId })
  await addMedia(ours, { memberId: here.memberId, ...picture })
  await addMedia(ours, { memberId: here.memberId, ...qr })
  await addAttachable(ours, here.memberId)
  await addMedia(ours, { memberId: here.memberId, ...paperMedia })
  const victim = await markVictim(owner, here)
  const people = await addPeople(owner, ours, systemActor(made.ground, there.workspaceId), here, there.memberId)
  return {
    app,
    routes,
    owner,
    victim,
    ...people,
    atStart: await pictureOf(owner, victim),
    async close() {
      await owner.end()
      await app.close()
      await made.close()
    },
  }
}

/** Everybody whose business it is not, by what kind of person they are. */
export const strangers: Record<Access, readonly string[]> = {
  anyone: ['nobody'],
  member: ['another member', 'a sales person', "another brokerage's member"],
  staff: ["another brokerage's staff", ...staffRoles],
}

async function addPeople(
  owner: pg.Client,
  ours: System,
  theirs: System,
  here: { memberId: string; otherMemberId: string },
  memberThere: string,
) {
  const actor = async (
    name: string,
    kind: Access,
    system: System,
    personId: string | null,
    role?: string,
  ): Promise<Actor> => ({
    name,
    kind,
    system,
    host: system === ours ? 'here.localhost' : 'there.localhost',
    personId,
    own: kind === 'member' ? await ownOf(owner, system, String(personId)) : {},
    ...(role && { role }),
  })
  const sales = await addMember(ours, { type: 'sales_person' })
  const theMember = await actor('the member', 'member', ours, here.memberId)
  const theStaff = await actor('the staff', 'staff', ours, (await addStaff(ours)).staffId, 'administrator')
  const actors = [
    await actor('nobody', 'anyone', ours, null),
    await actor('another member', 'member', ours, here.otherMemberId),
    await actor('a sales person', 'member', ours, sales.memberId),
    await actor("another brokerage's member", 'member', theirs, memberThere),
    await actor("another brokerage's staff", 'staff', theirs, (await addStaff(theirs)).staffId, 'administrator'),
  ]
  for (const role of staffRoles)
    actors.push(await actor(role, 'staff', ours, (await addStaff(ours, { role })).staffId, role))
  return { actors, theMember, theStaff }
}

const picture = { purpose: 'picture', kind: 'image', extension: 'png' }
const qr = { purpose: 'qr', kind: 'image', extension: 'png' }

/** What the fields of a deposit mean, so that each id is looked at with the others right. */
export async function ownOf(owner: pg.Client, system: System, memberId: string): Promise<Record<string, string>> {
  const found = await owner.query<Record<string, string>>(
    `select (select account_id from trading_accounts where member_id = $2 limit 1) as trading_account,
       (select bank_account_id from bank_accounts where member_id = $2 limit 1) as origin_id,
       (select fund_account_id from fund_accounts where member_id = $2 and removed_at is null limit 1) as "/members/fund-accounts/update _id",
       (select bank_account_id from bank_accounts where member_id = $2 and removed_at is null limit 1) as "/members/withdrawals/create destination_id",
       (select bank_account_id from bank_accounts where member_id = $2 and removed_at is null limit 1) as "/members/withdrawals/preflight destination_id",
       $2::uuid as "/tickets/cp-create customer",
       (select account_id from trading_accounts where member_id = $2 limit 1) as "/tickets/cp-create model_id",
       (select ticket_id from tickets where member_id = $2 limit 1) as "/tickets/cp-respond _id",
       (select form_id from forms where workspace_id = $1 limit 1) as form,
       (select form_id from forms where workspace_id = $1 limit 1) as "form_submit.form",
       (select request_type_id from request_types where workspace_id = $1 and form_id is not null limit 1) as "request.request_type",
       $2::uuid as "/requests/send-customer-request customer",
       (select company_bank_account_id from company_bank_accounts where workspace_id = $1 limit 1) as destination_id,
       (select file_category_id from documents where member_id = $2 limit 1) as category,
       (select valid_document_id from documents where member_id = $2 limit 1) as valid_document,
       (select document_request_id from document_requests where member_id = $2 limit 1) as "/clients/add-documents request",
       (select member_id from members where member_id = $2) as "/clients/add-documents customer",
       (select platform_id from trading_platforms where workspace_id = $1 limit 1) as trading_platform`,
    [system.workspaceId, memberId],
  )
  const files = await addMedia(system, { memberId })
  const media = await addMedia(system, { memberId, ...picture })
  const address_qr = await addMedia(system, { memberId, ...qr })
  const attachment = await addAttachable(system, memberId)
  const ofTickets = { '/tickets/cp-respond response.attachment': attachment }
  const documents = await addMedia(system, { memberId, ...paperMedia })
  return { ...found.rows[0], files, media, address_qr, documents, ...ofTickets }
}

/** Of the same brokerage, a member may well see what it shares; of another one, nothing at all. */
export function idsAgainst({ victim }: Matrix, actor: Actor): Map<string, string> {
  const isElsewhere = actor.system.workspaceId !== victim.workspaceId
  return isElsewhere ? new Map([...victim.ownIds, ...victim.sharedIds]) : victim.ownIds
}
