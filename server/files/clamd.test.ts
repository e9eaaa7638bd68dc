import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openClamd } from './clamd.ts'

/** Follows INSTREAM of clamd's manual byte by byte and answers like ClamAV 1.4, independently of the simulated scanner. */
describe('the ClamAV protocol', () => {
  let folder: string
  let path: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-clamd-'))
    path = join(folder, 'file')
    writeFileSync(path, 'four')
  })
  after(() => rmSync(folder, { recursive: true }))

  async function scan(answer: string): Promise<{ sent: Buffer; verdict: string }> {
    let sent = Buffer.alloc(0)
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => {
        sent = Buffer.concat([sent, bytes])
        if (sent.subarray(-4).equals(Buffer.alloc(4))) socket.end(answer)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const verdict = await openClamd({ host: '127.0.0.1', port }, 5_000).scan(path)
      return { sent, verdict }
    } finally {
      server.close()
    }
  }

  it('sends the command with a null byte, length-prefixed chunks, and an empty chunk at the end', async () => {
    const { sent } = await scan('stream: OK\0')
    assert.equal(sent.toString('latin1'), 'zINSTREAM\0\0\0\0\x04four\0\0\0\0')
  })

  for (const [answer, verdict] of [
    ['stream: OK\0', 'clean'],
    ['stream: Eicar-Test-Signature FOUND\0', 'infected'],
    ['stream: Win.Test.EICAR_HDB-1 FOUND\0', 'infected'],
    ['INSTREAM size limit exceeded. ERROR\0', 'unknown'],
    ['stream: Can’t allocate memory ERROR\0', 'unknown'],
    ['UNKNOWN COMMAND\0', 'unknown'],
    // Truncated: the name of a virus may follow.
    ['stream: OK', 'unknown'],
  ] as const)
    it(`reads ${JSON.stringify(answer)} as ${verdict}`, async () => assert.equal((await scan(answer)).verdict, verdict))
})
