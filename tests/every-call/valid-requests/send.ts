import type { Answered, Caller } from '../../fixtures/caller.ts'
import type { LiveRoute } from '../routes.ts'
import { requestsOfForms } from './of-forms.ts'
import { requestsOfMembers } from './of-members.ts'
import { requestsOfNobody } from './of-nobody.ts'
import { requestsOfSecurity } from './of-security.ts'
import { requestsOfStaff } from './of-staff.ts'
import { requestsOfTickets } from './of-tickets.ts'
import type { GoodRequest } from './valid-request.ts'

/** For each call that changes something one request that it accepts, by `METHOD /path`. */
export const goodRequests = {
  ...requestsOfNobody,
  ...requestsOfMembers,
  ...requestsOfSecurity,
  ...requestsOfStaff,
  ...requestsOfTickets,
  ...requestsOfForms,
}

export async function sendGoodRequest(caller: Caller, route: LiveRoute, request: GoodRequest): Promise<Answered> {
  const path = route.url.replace(/:(\w+)/g, (_, name: string) => request.places?.[name] ?? '')
  const headers = request.token ? { authorization: `Bearer ${request.token}` } : {}
  const url = request.query ? `${path}?${request.query}` : path
  if (!request.file) return caller.send({ method: 'POST', url, headers, payload: request.body ?? {} })
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(request.file.content)]), request.file.name)
  const packed = new Request('http://localhost', { method: 'POST', body: form })
  const payload = Buffer.from(await packed.arrayBuffer())
  const type = packed.headers.get('content-type') ?? ''
  return caller.send({ method: 'POST', url, payload, headers: { ...headers, 'content-type': type } })
}
