import { seedBrokerage } from '../../demo/seed-brokerage.ts'
import type { System } from '../../server/foundation/actor.ts'
import type { Context } from '../../server/foundation/context.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { askForSweep } from '../../server/queue/sweeping.ts'
import { askForDue } from '../../server/reconciliation/requests.ts'
import { needsOwnServer, type OwnServerOptions } from './own-server.ts'
import type { OtherProcess } from './several-processes.ts'
import { shareTestAppServer, startTestAppServer, type TestAppServer } from './test-app-server.ts'
import { type SimulatorOptions, startTestAppSimulators, type TestAppSimulators } from './test-app-simulators.ts'
import { openVisit, type Visit, type VisitOptions } from './visit.ts'

/** A complete test app: a demo brokerage, its platforms and providers, the server and a browser. */
export type TestApp = {
  /** Public address of this test app's brokerage. */
  url: string
  /** Shared with other test apps unless the journey needs its own server; reads and writes must use `system`. */
  context: Context
  /** The system actor of this test app's workspace. */
  system: System
  platform: TestAppSimulators['mt5']['control']
  /** The MetaTrader 4 server behind its bridge. */
  bridge: TestAppSimulators['mt4']['control']
  payments: TestAppSimulators['payments']
  /** The other processes behind the balancer, if any. */
  processes: OtherProcess[]
  /** Opens a new browser context that shares nothing with other visits. */
  visit(options?: VisitOptions): Promise<Visit>
  /** Closes every browser context and fails if one of them recorded a problem. */
  endVisits(): Promise<void>
  /** The status that the server returns for this member's token. */
  statusWith(token: string): Promise<number>
  close(): Promise<void>
}

type TestAppOptions = OwnServerOptions & SimulatorOptions

/** A brokerage of its own, on a subdomain of the shared server or on its own server (`own-server.ts`). */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const simulators = await startTestAppSimulators(options)
  try {
    const brokerage = await (needsOwnServer(options) ? openAlone(options, simulators) : openBeside(simulators))
    return testAppOf(brokerage, simulators)
  } catch (problem) {
    await simulators.stop()
    throw problem
  }
}

type Brokerage = { server: TestAppServer; system: System; url: string; close(): Promise<void> }

async function openAlone(options: OwnServerOptions, { asOfDemo }: TestAppSimulators): Promise<Brokerage> {
  const seeded = Promise.withResolvers<System>()
  const server = await startTestAppServer(options, async (context) =>
    seeded.resolve(await seedBrokerage(context, asOfDemo)),
  )
  return { server, system: await seeded.promise, url: server.url, close: server.close }
}

let opened = 0

async function openBeside({ asOfDemo }: TestAppSimulators): Promise<Brokerage> {
  const server = await shareTestAppServer()
  opened += 1
  const subdomain = `harbour-${opened}`
  try {
    const system = await seedBrokerage(server.context, asOfDemo, { place: { subdomain, isDefault: false } })
    await askForFirstSweeps(system)
    const close = async (): Promise<void> => {
      await switchOff(system)
      await server.close()
    }
    return { server, system, url: server.url.replace('://', `://${subdomain}.`), close }
  } catch (problem) {
    await server.close()
    throw problem
  }
}

/** Runs the sweeps that a server runs at startup, or some minutes later for a new workspace. */
async function askForFirstSweeps(system: System): Promise<void> {
  for (const queue of ['comparisons.compare-platforms', 'documents.watch-expiry', 'funding.check-ledger'] as const)
    await askForSweep(system, queue)
  await askForDue(system)
}

function testAppOf({ server, system, url, close }: Brokerage, simulators: TestAppSimulators): TestApp {
  const { context, processes } = server
  const visits: Visit[] = []
  return {
    ...{ url, context, system, processes },
    platform: simulators.mt5.control,
    bridge: simulators.mt4.control,
    payments: simulators.payments,
    async endVisits() {
      const ending = visits.splice(0)
      await Promise.all(ending.map((visit) => visit.context.close()))
      const problems = ending.flatMap((visit) => visit.problems())
      if (problems.length > 0) throw new Error(`The browser reported problems:\n${problems.join('\n')}`)
    },
    async visit(options) {
      const visit = await openVisit(await server.openBrowser(), url, options)
      visits.push(visit)
      return visit
    },
    async statusWith(token) {
      // Opens a new connection each time: a kept-alive one may close just as it is reused.
      const headers = { authorization: `Bearer ${token}`, connection: 'close' }
      const answer = await fetch(`${url}/user/permissions`, { headers })
      return answer.status
    },
    async close() {
      await Promise.all(visits.map((visit) => visit.context.close()))
      await close()
      await simulators.stop()
    },
  }
}

/** Disables this workspace's platforms and providers before they stop, since the shared server's sweeps continue. */
async function switchOff(system: System): Promise<void> {
  await inTransaction(system, async (tx) => {
    for (const table of ['trading_platforms', 'payment_providers', 'identity_vendors'] as const)
      await tx.updateTable(table).set({ enabled: false }).where('workspace_id', '=', system.workspaceId).execute()
  })
}
