import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { buildApp } from '../app.ts'
import type { Member, System } from '../foundation/actor.ts'
import { type Answered, type Caller, callerOf } from './caller.ts'
import { addOffered, addressAnswers, type Offered } from './forms.ts'
import { type MadeGround, makeGround } from './ground.ts'
import { addMember, addWorkspace, memberActor, openTestSession } from './harbour.ts'

export type Person = { member: Member; token: string }
type Sent = {
  data?: object
  version?: number
  nonce_token?: string
  draft?: string
  draft_revision?: number | null
  form?: string | null
}
type Row = { _id: string; number: string; status: string; subject: string; form_data: string | null }

/** Where members ask for what is offered, at the doors that a browser uses. */
export type RequestPlace = ReturnType<typeof doorsOf> & {
  made: MadeGround
  /** Another brokerage of the same installation. */
  elsewhere: System
  app: FastifyInstance
  owner: pg.Client
  close(): Promise<void>
}

export async function openRequestPlace(): Promise<RequestPlace> {
  const made = await makeGround()
  const system = await addWorkspace(made.ground, { isDefault: true })
  const elsewhere = await addWorkspace(made.ground, { subdomain: 'elsewhere' })
  const app = await buildApp(made.ground)
  const owner = new pg.Client({ connectionString: made.ownerUrl })
  await owner.connect()
  const close = async (): Promise<void> => {
    await owner.end()
    await app.close()
    await made.close()
  }
  const doors = doorsOf({ caller: callerOf(app), owner, system, offered: await addOffered(system) })
  return { ...doors, made, elsewhere, app, owner, close }
}

type Inside = { caller: Caller; owner: pg.Client; system: System; offered: Offered }

function doorsOf({ caller, owner, system, offered }: Inside) {
  const ask = async <Data>({ token }: Person, query: string) => {
    const { body, raw } = await caller.post('/graph', { query }, token)
    assert.equal(body.errors, undefined, raw)
    return { data: body.data as Data, extra: (body.extra ?? {}) as Record<string, number> }
  }
  return {
    caller,
    system,
    offered,
    ask,
    async enter(of = system): Promise<Person> {
      const { memberId } = await addMember(of)
      const { token } = await openTestSession(of, { kind: 'member', id: memberId })
      return { member: await memberActor(of, memberId), token }
    },
    send(
      { token }: Person,
      filled: Sent = {},
      more: { type?: string; customer?: string; request?: object } = {},
    ): Promise<Answered> {
      const body = {
        request: { request_type: more.type ?? offered.typeId, ...more.request },
        form_submit: { form: offered.formId, data: addressAnswers, ...filled },
        ...(more.customer && { customer: more.customer }),
      }
      return caller.post('/requests/send-customer-request', body, token)
    },
    submit: ({ token }: Person, filled: object) => caller.post('/form/submit', filled, token),
    save({ token }: Person, more: object = {}): Promise<Answered> {
      const body = { form: offered.formId, version: 1, answers: { street: 'Quay' }, step: 0, revision: null, ...more }
      return caller.post('/forms/drafts/save', body, token)
    },
    readDraft: ({ token }: Person, form = offered.formId) => caller.get(`/forms/draft?form=${form}`, token),
    cancel({ token }: Person, _id: string, more: object = {}): Promise<Answered> {
      const body = { _id, new_status: 'canceled', comment: 'Not needed any more', ...more }
      return caller.post('/requests/cp-change-status', body, token)
    },
    async nonceOf({ token }: Person): Promise<string> {
      const { body } = await caller.post('/members/get-unique-token', { token_key: 'form_submit' }, token)
      return String(body.token)
    },
    async countOf(table: string, { member }: Person): Promise<number> {
      const { rows } = await owner.query(`select count(*) from ${table} where member_id = $1`, [member.memberId])
      return Number(rows[0].count)
    },
    async listed(person: Person, args = ''): Promise<Row[]> {
      const query = `{ requests${args} { _id number status subject priority comment form_data } }`
      return (await ask<{ requests: Row[] }>(person, query)).data.requests
    },
  }
}

/** As text, so that names go over the wire that no object of ours has. */
export const postRaw = ({ caller }: RequestPlace, path: string, payload: string, token: string) =>
  caller.send({
    method: 'POST',
    url: path,
    payload,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })

export function idOf({ body, raw }: Answered): string {
  assert.ok(body.request, raw)
  return (body.request as { _id: string })._id
}

type Draft = { _id: string; revision: number; answers: object; version: number; step: number }
export const draftOf = ({ body }: Answered): Draft => body.draft as Draft
export const errorsOf = ({ body }: Answered) => body.errors as Record<string, string[]>
