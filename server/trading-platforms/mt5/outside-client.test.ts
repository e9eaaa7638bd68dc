import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createServer, type Server } from 'node:tls'
import Metatrader from 'mt5-sdk'
import { login, managerPassword, startBench } from '../../../tests/fixtures/trading/mt5-platform.ts'
import { cert, key } from '../tls-tests.ts'
import { challengeAnswer, provesKey, webApiKey } from './handshake.ts'

/** A third-party MetaTrader 5 client, as an independent check of our adapter and simulator. */
describe('the npm package mt5-sdk', () => {
  let bench: Awaited<ReturnType<typeof startBench>>
  let lock: Server
  before(async () => {
    bench = await startBench()
    // The client supports HTTPS only.
    lock = createServer({ cert, key }, (socket) => {
      const inner = connect(bench.simulator.port, '127.0.0.1')
      socket.on('error', () => inner.destroy())
      inner.on('error', () => socket.destroy())
      socket.pipe(inner).pipe(socket)
    })
    lock.listen(0, '127.0.0.1')
    await once(lock, 'listening')
  })
  after(async () => {
    await bench.stop()
    lock.close()
  })

  async function withClient<Result>(work: (client: Metatrader) => Promise<Result>): Promise<Result> {
    const { port } = lock.address() as AddressInfo
    const access = { login: '1002', password: managerPassword, build: '3000', agent: 'Test' }
    const client = new Metatrader('127.0.0.1', port, access)
    try {
      return await work(client)
    } finally {
      client.https.destroy()
    }
  }

  it('computes the same proof as our handshake, and accepts the same', () =>
    withClient(async ({ auth }) => {
      for (const password of ['Password1', 'Zürich#2026', 'P€ss-😀9']) {
        const ownKey = webApiKey(password)
        for (const challenge of [randomBytes(16), Buffer.from('0007dc7184747ce0f7c98516ef1c8510', 'hex')]) {
          const asked = challenge.toString('hex')
          assert.equal(auth.processAuth({ srv_rand: asked }, password), challengeAnswer(ownKey, asked))
          const proof = challengeAnswer(ownKey, asked)
          assert.equal(auth.processAuthFinal({ cli_rand_answer: proof }, password, challenge), true)
          const other = challengeAnswer(webApiKey('another'), asked)
          assert.equal(auth.processAuthFinal({ cli_rand_answer: other }, password, challenge), false)
          assert.equal(provesKey(ownKey, asked, other), false)
        }
      }
    }))

  it('signs in at the simulator, reads an account, and checks and changes its password', async () => {
    const user = await withClient(({ users }) => users.get(login))
    assert.deepEqual([user?.Login, user?.Group], [login, 'real\\standard-usd'])
    const opened = await withClient(({ users }) =>
      users.create({
        ...{ Group: 'real\\standard-usd', Name: 'Ben South', Leverage: '100', ZipCode: 'VLT 1117' },
        ...{ PassMain: 'Qa7-mPz2', PassInvestor: 'Qa7-mPz3' },
      }),
    )
    const made = opened?.Login ?? ''
    assert.match(made, /^7\d{5}$/)
    assert.equal(opened?.ZipCode, 'VLT 1117')
    assert.equal(await withClient(({ users }) => users.checkPassword(made, 'Qa7-mPz2')), true)
    const changed = await withClient(({ users }) => users.changePassword(made, 'Qa7-mPz2', 'Qa7-mPz4', 'investor'))
    assert.equal(changed, true)
    assert.equal(await withClient(({ users }) => users.checkPassword(made, 'Qa7-mPz4', 'investor')), true)
  })

  it('books a deposit that our adapter then reads', async () => {
    const deal = { login, type: '2', balance: '25.5', comment: 'by-another-client' }
    const booked = await withClient(({ trade }) => trade.updateTradeBalanceGet(deal))
    assert.match(booked?.Ticket ?? '', /^\d+$/)
    assert.equal((await bench.gateway.readAccount(login)).balance, '1025.50')
  })
})
