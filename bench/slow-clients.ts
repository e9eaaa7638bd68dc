/**
 * `npm run bench -- slow`: p99 of members' calls without, with and again without a thousand slow clients in their own
 * process, which connect again when they are disconnected. A third of them never end their headers, a third never end
 * their bodies, a third never read the answer.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { onPolledProcess } from './load/polled-process.ts'
import type { Polled } from './load/polling-members.ts'

const seconds = Number(process.env.ATRIUM_BENCH_SECONDS ?? 60)
const peopleCount = Number(process.env.ATRIUM_BENCH_MEMBERS ?? 250)
const slowCount = Number(process.env.ATRIUM_BENCH_SLOW ?? 1_000)

const host = 'host: localhost\r\n'
const beginsOf = (script: string): string[] => [
  `GET /healthz HTTP/1.1\r\n${host}x-slow: `,
  `POST /members/login HTTP/1.1\r\n${host}content-type: application/json\r\ncontent-length: 9000\r\n\r\n{"email":"`,
  // The file exceeds the socket buffers, so the rest waits in the server until the client reads.
  `GET ${script} HTTP/1.1\r\n${host}\r\n`,
]

const run = (): Promise<void> =>
  onPolledProcess(peopleCount, async ({ server, people, browsers }) => {
    const targets = [server.url]
    await browsers.press({ targets, people, seconds: 3, connections: 32 })
    const poll = (): Promise<Polled> => browsers.poll({ targets, people, seconds, logins: 0 })
    report('without', await poll())
    const slow = fork(import.meta.filename, ['slow'])
    slow.send({ port: Number(new URL(server.url).port), begins: beginsOf(await largestScript(server.url)) })
    await once(slow, 'message')
    report(`beside ${slowCount} slow ones`, await poll())
    slow.kill()
    report('without again', await poll())
  })

async function largestScript(url: string): Promise<string> {
  const page = await (await fetch(`${url}/login`)).text()
  const scripts = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
  const sizes = await Promise.all(
    scripts.map(async (path) => ({ path, bytes: (await (await fetch(url + path)).arrayBuffer()).byteLength })),
  )
  const [largest] = sizes.toSorted((one, other) => other.bytes - one.bytes)
  if (!largest) throw new Error('The page has no script: run npm run build first.')
  return largest.path
}

function report(what: string, { all, perSecond, failed }: Polled): void {
  const problems = Object.entries(failed).map(([how, count]) => `, ${count} x ${how}`)
  const [p50, p95, p99] = [all.p50Ms, all.p95Ms, all.p99Ms].map((ms) => ms.toFixed(1))
  console.log(
    `  ${what.padEnd(24)} ${perSecond.toFixed(0)}/s   p50 ${p50} ms   p95 ${p95} ms   p99 ${p99} ms${problems.join('')}`,
  )
}

/** In its own process: each writing client sends a byte a second, and each disconnected one is replaced. */
function beSlow(): void {
  process.channel?.ref()
  process.once('message', async ({ port, begins }: { port: number; begins: string[] }) => {
    await Promise.all(
      Array.from({ length: slowCount }, (_, index) => {
        const kind = index % begins.length
        return keepOpen(port, begins[kind] ?? '', { isDeaf: kind === begins.length - 1 })
      }),
    )
    process.send?.('open')
  })
}

async function keepOpen(port: number, begin: string, { isDeaf }: { isDeaf: boolean }): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  if (!isDeaf) socket.resume()
  const dripping = setInterval(() => {
    if (!isDeaf && socket.writable) socket.write('x')
  }, 1_000)
  socket.once('close', () => {
    clearInterval(dripping)
    setTimeout(() => void keepOpen(port, begin, { isDeaf }), 100)
  })
  await once(socket, 'connect')
  socket.write(begin)
}

if (process.argv[2] === 'slow') beSlow()
else await run()
