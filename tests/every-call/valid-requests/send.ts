import type { Call } from '@atrium/contract/call.ts'
import type { Answered, Caller } from '../../fixtures/caller.ts'
import type { LiveRoute } from '../routes.ts'
import { requestsOfDocuments } from './of-documents.ts'
import { requestsOfForms } from './of-forms.ts'
import { requestsOfMembers } from './of-members.ts'
import { requestsOfNobody } from './of-nobody.ts'
import { requestsOfPayments } from './of-payments.ts'
import { requestsOfPeople } from './of-people.ts'
import { requestsOfSecurity } from './of-security.ts'
import { requestsOfStaff } from './of-staff.ts'
import { requestsOfTickets } from './of-tickets.ts'
import { requestsThatRead } from './that-read.ts'
import { by, enterMember, enterStaff, type Prepare, type ValidRequest } from './valid-request.ts'

/** What a request needs besides its call's example, by `METHOD /path`: the sender and the rows it names. */
export const validRequests: Record<string, Prepare> = {
  ...requestsOfNobody,
  ...requestsOfMembers,
  ...requestsOfSecurity,
  ...requestsOfStaff,
  ...requestsOfDocuments,
  ...requestsOfPayments,
  ...requestsOfPeople,
  ...requestsOfTickets,
  ...requestsOfForms,
  ...requestsThatRead,
}

/** A successful request: the call's example with the rows made for it. A read without an example asks for everything. */
export function validRequestOf({ name, method, call, facts: { example } }: LiveRoute): Prepare | undefined {
  const make = validRequests[name] ?? (call && (example || method === 'GET') ? asks(call) : undefined)
  if (!make || !example) return make
  return async (fixture) => {
    const request = await make(fixture)
    return { ...request, body: { ...example, ...request.body } }
  }
}

const asks =
  ({ access }: Call): Prepare =>
  async (fixture) => {
    if (access === 'anyone') return { actorId: null }
    return by(await (access === 'member' ? enterMember(fixture) : enterStaff(fixture)))
  }

/** Sends it as its call expects: a JSON body, a query for a read, or a file. */
export async function sendValidRequest(
  caller: Caller,
  { method, url }: LiveRoute,
  request: ValidRequest,
): Promise<Answered> {
  const path = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(request.places?.[name] ?? ''))
  const query = request.query ?? (method === 'GET' ? queryOf(request.body ?? {}) : '')
  const headers = {
    ...(request.token && { authorization: `Bearer ${request.token}` }),
    ...(!request.file && method === 'POST' && { 'content-type': 'application/json' }),
    ...request.headers,
  }
  const options = { method: method as 'GET' | 'POST', url: query ? `${path}?${query}` : path, headers }
  if (request.file) return caller.send({ ...options, ...(await packed(request.file, headers)) })
  return caller.send({
    ...options,
    ...(method === 'POST' && { payload: request.form ?? JSON.stringify(request.body ?? {}) }),
  })
}

function queryOf(body: object): string {
  const given = Object.entries(body).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, textOf(value)])).toString()
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

async function packed({ name, content }: NonNullable<ValidRequest['file']>, headers: Record<string, string>) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const packed = new Request('http://localhost', { method: 'POST', body: form })
  const type = packed.headers.get('content-type') ?? ''
  return { payload: Buffer.from(await packed.arrayBuffer()), headers: { 'content-type': type, ...headers } }
}
