import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { type ChildServer, startChildServer } from '../../tests/doubles/child-server.ts'
import { stopOnSignal } from '../../tests/fixtures/database/stop-on-signal.ts'
import { fillPeople } from '../fill/filled-people.ts'
import { type Browsers, forkBrowsers, type Person } from './polling-members.ts'

type PolledProcess = { server: ChildServer; people: readonly Person[]; browsers: Browsers }

/** One process with one brokerage on its own database, and its members' browsers; all are removed afterwards. */
export async function onPolledProcess(
  peopleCount: number,
  work: (started: PolledProcess) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const database = await stopOnSignal(startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') }))
  const browsers = forkBrowsers()
  try {
    const [people = []] = await fillPeople(database.url, folder, [{ subdomain: 'bench', isDefault: true, peopleCount }])
    const server = await startChildServer({ databaseUrl: database.url, dataDirectory: folder })
    try {
      await work({ server, people, browsers })
    } finally {
      await server.stop()
    }
  } finally {
    browsers.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
