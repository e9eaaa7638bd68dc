/** Two brokerages on one server: a token of one is worthless at the other, however the host is written. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { exchangeRaw } from '../tests/fixtures/raw-exchange.ts'
import { addMedia } from '../tests/fixtures/requests.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../tests/fixtures/workspaces.ts'
import { buildApp } from './app.ts'
import type { System } from './foundation/actor.ts'
import { fileCookies } from './sessions/cookies.ts'

const ours = 'harbour.localhost'
const theirs = 'elsewhere.localhost'
const line = '\r\n'

type Proof = { token: string; fileToken: string; staffToken: string; staffFileToken: string; media: string }

async function proofOf(system: System): Promise<Proof> {
  const { memberId } = await addMember(system)
  const { token, fileToken } = await openTestSession(system, { kind: 'member', id: memberId })
  const { staffId } = await addStaff(system)
  const staff = await openTestSession(system, { kind: 'staff', id: staffId })
  const media = await addMedia(system, { memberId })
  return { token, fileToken, staffToken: staff.token, staffFileToken: staff.fileToken, media }
}

for (const trustedProxies of ['0', '1']) {
  describe(`with ${trustedProxies} trusted proxies`, () => {
    let made: MadeContext
    let app: FastifyInstance
    let port: number
    let proof: Proof
    let theirProof: Proof

    before(async () => {
      made = await makeTestContext({ environment: { TRUSTED_PROXIES: trustedProxies } })
      app = await buildApp(made.context)
      proof = await proofOf(
        await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true, name: 'Harbour' }),
      )
      theirProof = await proofOf(await addWorkspace(made.context, { subdomain: 'elsewhere', name: 'Elsewhere' }))
      await app.listen({ port: 0, host: '127.0.0.1' })
      const address = app.server.address()
      port = typeof address === 'object' && address ? address.port : 0
    })
    after(async () => {
      await app.close()
      await made.close()
    })

    type Asked = { target: string; hosts: string[]; headers?: string[] }
    async function ask({ target, hosts, headers = [] }: Asked): Promise<{ status: number; text: string }> {
      const lines = [`GET ${target} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), ...headers, 'Connection: close']
      const text = await exchangeRaw(port, `${lines.join(line)}${line}${line}`, { ends: false })
      return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text }
    }
    const bearer = (token: string): string => `Authorization: Bearer ${token}`

    /** Ways in which a request may claim another host than the one it is sent to. */
    const disguises: [string, (target: string) => Asked][] = [
      ['plainly', (target) => ({ target, hosts: [theirs] })],
      ...['X-Forwarded-Host', 'X-Host', 'X-Original-Host', 'X-Forwarded-Server', 'X-HTTP-Host-Override'].map(
        (name): [string, (target: string) => Asked] => [
          name,
          (target) => ({ target, hosts: [theirs], headers: [`${name}: ${ours}`] }),
        ],
      ),
      ['Forwarded', (target) => ({ target, hosts: [theirs], headers: [`Forwarded: for=127.0.0.1;host=${ours}`] })],
      [
        'X-Original-URL',
        (target) => ({ target, hosts: [theirs], headers: [`X-Original-URL: http://${ours}${target}`] }),
      ],
      ['two hosts', (target) => ({ target, hosts: [theirs, ours] })],
      ['two hosts in reverse order', (target) => ({ target, hosts: [ours, theirs] })],
      ['two hosts in one', (target) => ({ target, hosts: [`${theirs}, ${ours}`] })],
      ['an absolute URL', (target) => ({ target: `http://${ours}${target}`, hosts: [theirs] })],
      ['an absolute URL with the hosts reversed', (target) => ({ target: `http://${theirs}${target}`, hosts: [ours] })],
      ['a name before the host', (target) => ({ target, hosts: [`${ours}@${theirs}`] })],
      ['a subdomain of the host', (target) => ({ target, hosts: [`${ours}.${theirs}`] })],
      ['other letter case', (target) => ({ target, hosts: [theirs.toUpperCase()] })],
      ['a port', (target) => ({ target, hosts: [`${theirs}:443`] })],
      ...['.', '.:443', ':', ':x', ':443:443', '..', '#', '?'].map((end): [string, (target: string) => Asked] => [
        `a host that ends with ${end}`,
        (target) => ({ target, hosts: [theirs + end] }),
      ]),
    ]

    for (const [name, disguise] of disguises) {
      it(`refuses access across brokerages: ${name}`, async () => {
        const file = `/cp/private/files/${proof.media}/receipt.pdf`
        const tries: [string, string][] = [
          ['/user/permissions', bearer(proof.token)],
          [`/graph?q=${Buffer.from('{ current_member { _id } }').toString('base64url')}`, bearer(proof.token)],
          ['/desk/api/me', bearer(proof.staffToken)],
          [file, bearer(proof.token)],
          [file, bearer(proof.staffToken)],
          [file, bearer(theirProof.token)],
          [file, bearer(theirProof.staffToken)],
          [file, `Cookie: ${fileCookies.member}=${proof.fileToken}`],
          [file, `Cookie: ${fileCookies.staff}=${proof.staffFileToken}`],
          [file, `Cookie: ${fileCookies.member}=${theirProof.fileToken}`],
        ]
        for (const [target, header] of tries) {
          const asked = disguise(target)
          const { status, text } = await ask({ ...asked, headers: [...(asked.headers ?? []), header] })
          assert.ok([400, 401, 404].includes(status), `${target} with ${header.split(' ')[0]}: ${text}`)
        }
      })
    }

    it('accepts the same tokens at their own brokerage, so that a refusal proves something', async () => {
      const file = `/cp/private/files/${proof.media}/receipt.pdf`
      for (const [target, header] of [
        ['/user/permissions', bearer(proof.token)],
        ['/desk/api/me', bearer(proof.staffToken)],
        [file, bearer(proof.token)],
        [file, `Cookie: ${fileCookies.member}=${proof.fileToken}`],
        [`http://${ours}/user/permissions`, bearer(proof.token)],
      ] as const) {
        const { status, text } = await ask({ target, hosts: [ours], headers: [header] })
        assert.equal(status, 200, `${target}: ${text}`)
      }
    })

    it('takes the closing dot of a full host name as part of the same host', async () => {
      for (const host of [`${ours}.`, `${ours}.:443`])
        assert.equal(
          (await ask({ target: '/user/permissions', hosts: [host], headers: [bearer(proof.token)] })).status,
          200,
        )
      const { text } = await ask({ target: '/members/crm-settings', hosts: [`${theirs}.`] })
      assert.match(text, /"name":"Elsewhere"/)
    })

    it('shows each host its own brand, also for consecutive requests on one connection', async () => {
      const request = (host: string, connection: string): string =>
        ['GET /members/crm-settings HTTP/1.1', `Host: ${host}`, `Connection: ${connection}`, '', ''].join(line)
      const requests = [request(ours, 'keep-alive'), request(theirs, 'keep-alive'), request(ours, 'close')]
      const text = await exchangeRaw(port, requests.join(''), { ends: false })
      assert.deepEqual(
        [...text.matchAll(/"name":"(Harbour|Elsewhere)"/g)].map(([, name]) => name),
        ['Harbour', 'Elsewhere', 'Harbour'],
      )
    })

    it('prevents caches from storing an answer and giving it to another host', async () => {
      for (const target of ['/members/crm-settings', '/user/permissions', '/', '/desk', '/login', '/nothing/here']) {
        for (const host of [ours, theirs]) {
          const { text } = await ask({ target, hosts: [host], headers: [bearer(proof.token)] })
          assert.match(text, /^cache-control: no-store\r$/im, `${host}${target}`)
        }
      }
    })

    it('finds no brokerage for an unknown host', async () => {
      for (const host of [`nobody.${'localhost'}`, `x.${ours}`, `${ours}@x.localhost`])
        assert.equal((await ask({ target: '/members/crm-settings', hosts: [host] })).status, 404, host)
    })
  })
}
