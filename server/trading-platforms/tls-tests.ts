import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import type { TradingGateway } from './contract.ts'

/** For this test only: the key protects nothing. Valid for mt5.harbour.test until 2126. */
export const cert = `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUdWOomn3a/ECqMrcBlfa3GCkzgAEwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQbXQ1LmhhcmJvdXIudGVzdDAgFw0yNjExMjEwNDU2MjVaGA8y
MTI2MTAyODA0NTYyNVowGzEZMBcGA1UEAwwQbXQ1LmhhcmJvdXIudGVzdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABBzSmiB1LOzxkrCynLNLzyYnLaTriU671Va1
G4V6Za4J++tRw6TmQ3GHDfiWEVX782hJhqaoXJxZel25LZBZVdqjcDBuMB0GA1Ud
DgQWBBQvFnQ0vCjVPX9TPOoAKJW1UhPn+jAfBgNVHSMEGDAWgBQvFnQ0vCjVPX9T
POoAKJW1UhPn+jAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEG10NS5oYXJi
b3VyLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIhAL34cCFFueFZvpvmyihjtwhODPEj
/LYEK74MeUbpK0JLAiAmhSYuzdNwN5VC7IqEbcVKELO+CuyhvfE0GfTTlbQ4Qg==
-----END CERTIFICATE-----`
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSn1mpVLpK6NQJa4n
+p/SA8+6p9RBLoqhzzv3ZKeHi++hRANCAAQc0pogdSzs8ZKwspyzS88mJy2k64lO
u9VWtRuFemWuCfvrUcOk5kNxhw34lhFV+/NoSYamqFycWXpduS2QWVXa
-----END PRIVATE KEY-----`

type Bench = {
  simulator: { port: number }
  connect(change: { baseUrl: string; allowPlainHttp: boolean; caPem?: string; serverName?: string }): TradingGateway
  stop(): Promise<void>
}

/** Over TLS a server is accepted by its certificate and name only. `account` holds 1000.00. */
export function testTls(name: string, { start, account }: { start: () => Promise<Bench>; account: string }): void {
  test(`${name}: accepts a TLS server by its certificate and name only`, async () => {
    const bench = await start()
    const lock = createServer({ cert, key }, (socket) => {
      const inner = connect(bench.simulator.port, '127.0.0.1')
      socket.on('error', () => inner.destroy())
      inner.on('error', () => socket.destroy())
      socket.pipe(inner).pipe(socket)
    })
    lock.listen(0, '127.0.0.1')
    await once(lock, 'listening')
    const { port } = lock.address() as AddressInfo
    const address = { baseUrl: `https://127.0.0.1:${port}`, allowPlainHttp: false }
    try {
      const trusting = bench.connect({ ...address, caPem: cert, serverName: 'mt5.harbour.test' })
      assert.equal((await trusting.readAccount(account)).balance, '1000.00')
      const suspicious = [
        { ...address, serverName: 'mt5.harbour.test' },
        { ...address, caPem: cert },
        { ...address, caPem: cert, serverName: 'mt5.other.test' },
      ]
      for (const settings of suspicious) {
        const health = await bench.connect(settings).health()
        assert.deepEqual([health.reachable, health.authenticated, health.problems], [false, false, ['unreachable']])
      }
    } finally {
      await bench.stop()
      lock.close()
    }
  })
}
