import { seedBrokerage } from '../../demo/seed-brokerage.ts'
import type { System } from '../../server/foundation/actor.ts'
import type { Context } from '../../server/foundation/context.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { askForSweep } from '../../server/queue/sweeping.ts'
import { askForDue } from '../../server/reconciliation/ask.ts'
import { needsOwnServer, type OwnServerOptions } from './own-server.ts'
import type { OtherProcess } from './several-processes.ts'
import { shareTestAppServer, startTestAppServer, type TestAppServer } from './test-app-server.ts'
import { type SimulatorOptions, startTestAppSimulators, type TestAppSimulators } from './test-app-simulators.ts'
import { openVisit, type Visit, type VisitOptions } from './visit.ts'

/** The whole product, as a person finds it: a demo brokerage, its platforms and providers, the server, a browser. */
export type TestApp = {
  /** Where the people of this stage's brokerage find it. */
  url: string
  /** Shared with other stages, unless the journey needs a server of its own: what is read or written by it names `system`. */
  context: Context
  /** The program in this stage's brokerage. */
  system: System
  platform: TestAppSimulators['mt5']['control']
  /** The MetaTrader 4 server behind its bridge. */
  bridge: TestAppSimulators['mt4']['control']
  payments: TestAppSimulators['payments']
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

type TestAppOptions = OwnServerOptions & SimulatorOptions

/** A brokerage of its own, at a subdomain of the server that journeys share or on a server of its own (`own-server.ts`). */
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

/** What a server does as it starts for the brokerages that it finds, and some minutes later for those that came since. */
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
      if (problems.length > 0) throw new Error(`The browser complained:\n${problems.join('\n')}`)
    },
    async visit(options) {
      const visit = await openVisit(await server.openBrowser(), url, options)
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
      await Promise.all(visits.map((visit) => visit.context.close()))
      await close()
      await simulators.stop()
    },
  }
}

/** Sweeps of a shared server go on over every brokerage: this one's platforms and providers are about to go. */
async function switchOff(system: System): Promise<void> {
  await inTransaction(system, async (tx) => {
    for (const table of ['trading_platforms', 'payment_providers', 'identity_vendors'] as const)
      await tx.updateTable(table).set({ enabled: false }).where('workspace_id', '=', system.workspaceId).execute()
  })
}
