import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freshDatabase } from '../../tests/fixtures/database/fresh-database.ts'

const require = createRequire(import.meta.url)

/** Amounts are strings: a JavaScript number is a float and would lose precision. */
const typeMapping = { numeric: 'string' }

/** Table types as TypeScript, read from a freshly migrated database. */
export async function generateTableTypes(): Promise<string> {
  const database = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'atrium-types-'))
  try {
    const outFile = join(folder, 'types.ts')
    const bin = join(dirname(require.resolve('kysely-codegen/package.json')), 'dist/cli/bin.js')
    const options = [
      '--dialect',
      'postgres',
      '--url',
      database.ownerUrl,
      '--out-file',
      outFile,
      '--default-schema',
      'public',
    ]
    const mapping = [
      '--include-pattern',
      'public.*',
      '--type-mapping',
      JSON.stringify(typeMapping),
      '--log-level',
      'error',
    ]
    await promisify(execFile)(process.execPath, [bin, ...options, ...mapping])
    return readFileSync(outFile, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await database.drop()
  }
}
