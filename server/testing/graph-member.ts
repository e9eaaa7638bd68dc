import { buildApp } from '../app.ts'
import { makeGround } from './ground.ts'
import { addMember, addWorkspace, openTestSession } from './harbour.ts'

/** The query endpoint of a brokerage, posted to by a signed-in member; `post` takes the body as it is sent. */
export async function openGraphMember() {
  const made = await makeGround()
  const app = await buildApp(made.ground)
  const system = await addWorkspace(made.ground, { isDefault: true })
  const { memberId } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    post: (body: unknown) => app.inject({ method: 'POST', url: '/graph', headers, payload: JSON.stringify(body) }),
    async close() {
      await app.close()
      await made.close()
    },
  }
}

export type GraphMember = Awaited<ReturnType<typeof openGraphMember>>
