// spec: OP operation
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { ErrorCode } from '@atrium/contract/error-codes.ts'
import { texts } from '@atrium/contract/texts.ts'
import { parse } from 'yaml'
import { buildApp } from '../../server/app.ts'
import { eventually, freePort } from '../../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { readStages, readVariables } from '../release/image-steps.ts'
import { behind, readSections } from './haproxy.ts'

const root = dirname(dirname(import.meta.dirname))
const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8')

const text = read('haproxy.cfg')
const sections = readSections(text)
const find = (kind: string, name = '') => {
  const found = sections.filter((each) => each.kind === kind && each.name === name)
  assert.equal(found.length, 1, `${kind} ${name} occurs ${found.length} times`)
  return found[0]
}
const portal = find('frontend', 'portal')
const web = find('backend', 'web')
const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }

let made: MadeContext
let app: Awaited<ReturnType<typeof buildApp>>
before(async () => {
  made = await makeTestContext()
  app = await buildApp(made.context)
  await app.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  await app.close()
  await made.close()
})

describe('the load balancer', () => {
  it('removes incoming proxy headers before it sets its own', () => {
    assert.deepEqual(behind(portal, 'http-request', 'del-header').flat(), ['x-forwarded-for', 'traceparent'])
    assert.deepEqual(behind(portal, 'option', 'forwardfor'), [[]])
  })

  it('blocks internal addresses in any spelling', () => {
    const [rule = []] = behind(portal, 'http-request', 'return', 'status', '404', 'if')
    assert.deepEqual(rule, ['{', 'path,url_dec', '-m', 'str', '/metrics', '/healthz', '/readyz', '}'])
    // A blocked address without a route is obsolete, and its replacement is not blocked.
    for (const url of rule.filter((word) => word.startsWith('/'))) assert.ok(app.hasRoute({ method: 'GET', url }), url)
  })

  it('retries only safe requests on another process', () => {
    assert.deepEqual(behind(find('defaults'), 'retry-on'), [['conn-failure', 'empty-response']])
    assert.deepEqual(behind(web, 'http-request', 'disable-l7-retry'), [['unless', 'METH_GET']])
  })

  it('answers in the API error shape when no process is available', () => {
    const [said = []] = behind(find('defaults'), 'http-error', 'status', '503', 'content-type', 'application/json')
    const quoted = /^ *http-error .* string '(.*)' hdr retry-after 2 hdr cache-control no-store$/m.exec(text)?.[1]
    assert.equal(said[0], 'string')
    assert.deepEqual(JSON.parse(quoted ?? 'null'), {
      status: 'error',
      code: 'unavailable' satisfies ErrorCode,
      error: texts.requestFailed,
    })
  })

  it('checks each process by a health route and the status of a ready process', async () => {
    const [[method = '', url = ''] = []] = behind(web, 'option', 'httpchk')
    const [[status] = []] = behind(web, 'http-check', 'expect', 'status')
    // Any other address returns the portal's page, ready or not.
    assert.ok(app.hasRoute({ method: method as 'GET', url }), url)
    const answer = await app.inject({ method: method as 'GET', url })
    assert.equal(String(answer.statusCode), status)
  })

  it('refers only to sections that exist', () => {
    const backends = sections.filter(({ kind }) => kind === 'backend').map(({ name }) => name)
    for (const [name = ''] of sections.flatMap((each) => [
      ...behind(each, 'default_backend'),
      ...behind(each, 'use_backend'),
    ]))
      assert.ok(backends.includes(name), name)
    for (const server of behind(web, 'server-template')) find('resolvers', server[server.indexOf('resolvers') + 1])
  })

  it('derives its connection limit from the limit of open files, up to a fixed cap', () => {
    const global = find('global')
    assert.deepEqual(behind(global, 'maxconn'), [])
    assert.deepEqual(behind(global, 'fd-hard-limit'), [['40050']])
  })

  it('allows health checks more time than a busy machine needs, and checks every second', () => {
    const [[wait = ''] = []] = behind(find('defaults'), 'timeout', 'check')
    assert.ok(Number(wait.replace(/s$/, '')) >= 5, wait)
    const [[, , , ...words] = []] = behind(web, 'server-template')
    assert.deepEqual(words.slice(0, 3), ['check', 'inter', '1s'])
  })

  it('never removes the last process: each has a backup entry without a check', () => {
    const [checked = [], unchecked = [], ...more] = behind(web, 'server-template')
    assert.deepEqual(more, [])
    assert.deepEqual(checked.slice(1, 4), [...unchecked.slice(1, 3), 'check'])
    assert.equal(unchecked[3], 'backup')
    assert.equal(unchecked.includes('check'), false)
    assert.deepEqual(behind(web, 'option', 'allbackups'), [[]])
  })

  it('uses the name server of its container', () => {
    const resolvers = find('resolvers', 'containers')
    assert.deepEqual(behind(resolvers, 'parse-resolv-conf'), [[]])
    assert.deepEqual(behind(resolvers, 'nameserver'), [])
  })

  it('has the same configuration for servers without containers, except addresses and paths', () => {
    const linesOf = (all: typeof sections) =>
      all
        .filter(({ kind }) => kind !== 'resolvers')
        .flatMap(({ kind, name, lines }) => lines.map((line) => `${kind} ${name}: ${line.text}`))
    const [ours, theirs] = [linesOf(sections), linesOf(readSections(read('haproxy-servers.cfg')))]
    const where = /: (log |user |group |bind |server |server-template )/
    assert.deepEqual(
      theirs.filter((line) => !where.test(line)),
      ours.filter((line) => !where.test(line)),
    )
    const own = theirs.filter((line) => where.test(line) && !ours.includes(line))
    assert.deepEqual(own, [
      'global : log /dev/log local0 warning',
      'global : user haproxy',
      'global : group haproxy',
      'frontend plain: bind :80',
      'frontend portal: bind :443 ssl crt /etc/haproxy/certificate.pem alpn h2,http/1.1',
      'backend web: server web1 10.0.0.11:8080 check inter 1s fall 2 rise 1',
      'backend web: server web2 10.0.0.12:8080 check inter 1s fall 2 rise 1',
      'backend web: server unchecked1 10.0.0.11:8080 backup',
      'backend web: server unchecked2 10.0.0.12:8080 backup',
    ])
  })

  it('finds the containers at the addresses of compose.yaml and the image, and listens on the published ports', () => {
    const [[, , address = ''] = []] = behind(web, 'server-template')
    const [service = '', port = ''] = address.split(':')
    assert.equal(services[service]?.image, 'atrium', address)
    const words = readStages(read('Dockerfile'))
      .at(-1)
      ?.steps.find(({ word }) => word === 'ENV')
    assert.equal(readVariables(words?.rest ?? '').PORT, port)
    const { ports = [], volumes = [] } = services.balancer ?? {}
    const bound = sections.flatMap((each) => behind(each, 'bind')).map(([at = '']) => at.replace(/^:/, ''))
    assert.deepEqual(ports.map((each) => each.split(':').at(-1)).sort(), bound.sort())
    const [[, , , certificate = ''] = []] = behind(portal, 'bind')
    assert.ok(
      volumes.some((each) => each.split(':')[1] === certificate),
      certificate,
    )
  })

  it('allows a stream to stay open for two minutes', () => {
    const seconds = (what: string) => Number(behind(find('defaults'), 'timeout', what)[0]?.[0]?.replace(/s$/, ''))
    // deploy/README.md requires the same of other load balancers.
    for (const what of ['client', 'server']) assert.ok(seconds(what) >= 120, what)
  })
})

// npm has no HAProxy package: the variable names an installed one.
const { ATRIUM_TEST_HAPROXY: executable } = process.env
if (executable)
  describe('a running HAProxy', () => {
    let folder: string
    let ports: { plain: number; portal: number }
    let child: ChildProcess | undefined

    /** The repository's configuration with the ports of this run, and one server at the given port. */
    const configFor = (port: number): string =>
      text
        .replace('bind :8080', `bind 127.0.0.1:${ports.plain}`)
        .replace('bind :8443', `bind 127.0.0.1:${ports.portal}`)
        .replace('/usr/local/etc/haproxy/certificate.pem', join(folder, 'secrets', 'certificate.pem'))
        .replaceAll(/server-template (\w+) 1-8 web:8080/g, `server $1 127.0.0.1:${port}`)
        .replaceAll(' resolvers containers init-addr none', '')

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'atrium-haproxy-'))
      cpSync(join(root, 'deploy', 'make-secrets.sh'), join(folder, 'make-secrets.sh'))
      mkdirSync(join(folder, 'secrets'))
      assert.equal(spawnSync('sh', [join(folder, 'make-secrets.sh')]).status, 0)
      ports = { plain: await freePort(), portal: await freePort() }
      const address = app.server.address()
      assert.ok(address && typeof address === 'object')
      writeFileSync(join(folder, 'haproxy.cfg'), configFor(address.port))
    })
    /** Starts with the open-file limit of a small machine. */
    function start(): ChildProcess {
      const line = `ulimit -n 1024; exec ${executable} -db -f ${join(folder, 'haproxy.cfg')}`
      return spawn('sh', ['-c', line], { stdio: 'ignore' })
    }
    after(() => {
      child?.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    })

    it('accepts the configuration without a warning', () => {
      const { status, stdout, stderr } = spawnSync(executable, ['-c', '-f', join(folder, 'haproxy.cfg')], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout + stderr)
      assert.doesNotMatch(stdout + stderr, /WARNING|ALERT/)
    })

    it('forwards requests, blocks internal paths, and answers 503 in the API error shape when no process is ready', async () => {
      child = start()
      await eventually('it forwards requests', async () => {
        const answer = await ask('/').catch(() => null)
        return answer !== null && answer.status !== 503
      })
      for (const path of ['/metrics', '/%6Detrics', '/healthz', '/readyz'])
        assert.deepEqual(await ask(path), { status: 404, text: '' }, path)
      const plain = await fetch(`http://127.0.0.1:${ports.plain}/x?y=1`, { redirect: 'manual' })
      assert.equal(plain.status, 308)
      assert.match(plain.headers.get('location') ?? '', /^https:\/\/.*\/x\?y=1$/)
      await app.close()
      await eventually('it notices that the process has ended', async () => (await ask('/')).status === 503)
      assert.equal(JSON.parse((await ask('/')).text).code, 'unavailable')
    })

    it('keeps sending requests to the only process although it reports that it is not ready', async () => {
      let checks = 0
      const unready: Server = createServer(({ url }, response) => {
        if (url === '/readyz') checks += 1
        response.writeHead(url === '/readyz' ? 503 : 200).end(url === '/readyz' ? '' : 'answered')
      })
      await new Promise<void>((resolve) => unready.listen(0, '127.0.0.1', resolve))
      const address = unready.address()
      assert.ok(address && typeof address === 'object')
      child?.kill('SIGKILL')
      writeFileSync(join(folder, 'haproxy.cfg'), configFor(address.port))
      child = start()
      await eventually('it forwards requests', async () => (await ask('/').catch(() => null))?.text === 'answered')
      // Two failed checks mark the server as down.
      await eventually('the process is marked as not ready', async () => checks > 3)
      assert.deepEqual(await ask('/'), { status: 200, text: 'answered' })
      unready.close()
    })

    function ask(path: string): Promise<{ status: number; text: string }> {
      return new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port: ports.portal, path, rejectUnauthorized: false, agent: false }
        const outgoing = request(options, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
          )
        })
        outgoing.on('error', reject)
        outgoing.end()
      })
    }
  })

type Service = { image?: string; ports?: string[]; volumes?: string[] }
