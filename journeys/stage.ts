import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedDemo } from '../demo/seed-brokerage.ts'
import { demoBridgeToken, demoManager, demoTimeZone } from '../demo/simulators.ts'
import { readConfig } from '../server/config.ts'
import type { Ground } from '../server/foundation/ground.ts'
import { prepare, serve } from '../server/start.ts'
import { connectMt4Control } from '../simulators/mt4/control-client.ts'
import { type Mt4Simulator, startMt4Simulator } from '../simulators/mt4/simulator.ts'
import { connectMt5Control } from '../simulators/mt5/control-client.ts'
import { type Mt5Simulator, startMt5Simulator } from '../simulators/mt5/simulator.ts'
import { startPaymentSimulators } from '../simulators/payments/usual.ts'
import { holdPort } from '../tests/doubles/child-server.ts'
import { freshDatabase } from '../tests/fixtures/fresh-database.ts'
import { type Engine, launchBrowser } from './browser.ts'
import { type OtherProcess, startOthers } from './several-processes.ts'
import { isUnrestful, startUnrest, takeCodeToUpgrade } from './unrest.ts'
import { openVisit, type Visit, type VisitOptions } from './visit.ts'

/** The whole product, as a person finds it: the demo brokerage, its platform, the server, a browser. */
export type Stage = {
  url: string
  ground: Ground
  platform: Mt5Simulator['control']
  /** The MetaTrader 4 server behind its bridge. */
  bridge: Mt4Simulator['control']
  payments: Awaited<ReturnType<typeof startPaymentSimulators>>
  /** The processes behind the balancer that are not this one, where there are some. */
  processes: OtherProcess[]
  /** A browser of somebody's own: nothing is shared with another visit. */
  visit(options?: VisitOptions): Promise<Visit>
  /** Ends every visit, and fails if one of them saw something that nobody should. */
  endVisits(): Promise<void>
  /** What the server says to whoever comes with this member's token. */
  statusWith(token: string): Promise<number>
  close(): Promise<void>
}

type StageOptions = {
  movingPrices?: boolean
  /** Beside what every stage is started with, in each of its processes; `{port}` is the one that people use. */
  environment?: Record<string, string>
  /** So many behind a balancer; ATRIUM_TEST_PROCESSES lets every journey be walked that way. */
  processes?: number
  /** Beside that, for all of them but the first. */
  othersEnvironment?: Record<string, string>
  /** The one that was asked for, unless said. */
  engine?: Engine
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { movingPrices = false } = options
  const { processes = Number(process.env.ATRIUM_TEST_PROCESSES ?? 1) } = options
  // Held until it is listened on: the simulators and the stage beside this one would be given it now and then meanwhile.
  const { port, release } = await holdPort()
  const environment = withPort(options.environment ?? {}, port)
  const folder = mkdtempSync(join(tmpdir(), 'atrium-stage-'))
  const database = await freshDatabase()
  const simulator = await startMt5Simulator({
    port: 0,
    stateFile: ':memory:',
    managers: [demoManager],
    timeZone: demoTimeZone,
    movingPrices,
  })
  const bridge = await startMt4Simulator({
    port: 0,
    stateFile: ':memory:',
    token: demoBridgeToken,
    timeZone: demoTimeZone,
    movingPrices,
  })
  const payments = await startPaymentSimulators()
  const stopPlatforms = async (): Promise<void> => {
    await Promise.all([simulator.stop(), bridge.stop(), payments.stop()])
  }
  const config = readConfig({
    NODE_ENV: 'test',
    ATRIUM_DEMO: 'true',
    ATRIUM_DATA: folder,
    DATABASE_URL: database.ownerUrl,
    HOST: '127.0.0.1',
    PORT: String(processes > 1 ? 0 : port),
    LOG_LEVEL: 'fatal',
    ...environment,
  })
  const { ground, close: closeGround } = await prepare(config)
  await seedDemo(ground, {
    mt5Url: simulator.url,
    mt5: connectMt5Control(simulator.controlUrl),
    mt4Url: bridge.url,
    mt4: connectMt4Control(bridge.controlUrl),
    payments: payments.settings,
    stop: () => stopPlatforms(),
  })
  await release()
  const { app, stop } = await serve(ground)
  const { port: ownPort } = app.server.address() as AddressInfo
  const shared = { ATRIUM_DATA: folder, DATABASE_URL: database.ownerUrl, ...environment, ...options.othersEnvironment }
  // Not where a journey has processes of its own to end.
  const isDisturbed = isUnrestful && processes > 1 && options.processes === undefined
  const older = isDisturbed ? await takeCodeToUpgrade() : null
  const others = await startOthers({ port, ownPort, count: processes - 1, older }, shared)
  // Passkeys and links in mails belong to the address that people use, which is the balancer's where there is one.
  ground.config.port = port
  const url = `http://127.0.0.1:${port}`
  const unrest = isDisturbed && others ? startUnrest(others) : null
  const browser = await launchBrowser(options.engine)
  const visits: Visit[] = []
  const endVisits = async (): Promise<void> => {
    const ending = visits.splice(0)
    await Promise.all(ending.map((visit) => visit.context.close()))
    const problems = ending.flatMap((visit) => visit.problems())
    if (problems.length > 0) throw new Error(`The browser complained:\n${problems.join('\n')}`)
  }
  return {
    url,
    ground,
    platform: simulator.control,
    bridge: bridge.control,
    payments,
    processes: others?.processes ?? [],
    endVisits,
    async visit(options) {
      const visit = await openVisit(browser, url, options)
      visits.push(visit)
      return visit
    },
    async statusWith(token) {
      // Each time on a connection of its own: one that is kept may be closed just as it is taken for the next.
      const headers = { authorization: `Bearer ${token}`, connection: 'close' }
      const answer = await fetch(`${url}/user/permissions`, { headers })
      return answer.status
    },
    async close() {
      await browser.close()
      const problem = await unrest?.stop()
      await others?.close()
      await stop()
      await closeGround()
      await stopPlatforms()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
      if (problem) throw problem
    },
  }
}

function withPort(environment: Record<string, string>, port: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [name, text.replace('{port}', `${port}`)]),
  )
}
