import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `out`: what a program reads. `err`: what is told beside it. */
type Ended = { code: number; out: string; err: string }
type Place = { databaseUrl: string; folder: string }

const script = fileURLToPath(new URL('../admin.ts', import.meta.url))

/** `npm run admin --` as a program of its own, on a test's database; asked when it is called, since that is made first. */
export function commandLine(placeOf: () => Place) {
  function adminWith(more: Record<string, string>, ...args: string[]): Promise<Ended> {
    const { databaseUrl, folder } = placeOf()
    const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: databaseUrl, ATRIUM_DATA: folder, ...more }
    return new Promise((resolve) => {
      execFile(process.execPath, [script, ...args], { env }, (problem, stdout, stderr) => {
        resolve({ code: Number(problem?.code ?? 0), out: stdout, err: stderr })
      })
    })
  }
  return { adminWith, admin: (...args: string[]) => adminWith({}, ...args) }
}

/** Without the address of a database, and with nothing else said of the environment: whoever forgot one thing has forgotten all. */
export function commandsWithoutAddress(folder: string) {
  const { adminWith } = commandLine(() => ({ databaseUrl: '', folder }))
  const adminUnder = (environment: Record<string, string>, ...args: string[]) =>
    adminWith({ NODE_ENV: '', ...environment }, ...args)
  return { folder, adminUnder, admin: (...args: string[]) => adminUnder({}, ...args) }
}
