import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printSchema } from 'graphql'
import { schema } from '../../server/schema.ts'
import { freshDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { describeSchema } from './describe-schema.ts'
import { pages } from './generate-pages.ts'
import { generateTableTypes } from './generate-types.ts'

const check = process.argv.includes('--check')
const root = new URL('../../', import.meta.url)
const repository = fileURLToPath(root)

/** Notes for clients that types cannot express. */
const aboutSchema = `# The members' query endpoint. Printed from server/graphql by npm run generate, and reviewed as a diff: clients count on these
# names, arguments and types, so they are added to and never renamed or dropped.
#
# GET  /graph?q=<base64 of the query text>[&v=<base64 of the variables as JSON>]   (base64 or base64url)
# POST /graph   {"query": "...", "variables": {...}, "operationName": "..."}        (when the query is long)
# Answer: {"data": ..., "errors": [...], "extra": {...}}; header x-app-version: <id of the running build>.
#
# extra has the counts asked for with withCount: true, as "count" + the field's name without underscores, first letter in upper
# case (countBalancetransactions); pending_deposits counts as countOrders. A field under an alias is counted under its alias.
# Pages start at 1; limit is at most 100. Every list is the signed-in member's own: a customer argument that names anybody else
# yields an empty list. A filter that is empty text counts as absent. Newest first unless said otherwise.
# Money: decimal text, "1250.00". Millis: milliseconds since 1970. Seconds: seconds since 1970. JSONText: JSON as text.
`

type Text = [path: string, make: () => Promise<string>]
/** In this order: the web's documents are validated against the schema printed just before. */
const texts: Text[] = [
  ['contract/translations.generated.ts', listTranslations],
  ['server/foundation/database/database.generated.ts', generateTableTypes],
  ['server/migrations/schema.sql', drawTables],
  ['contract/schema.graphql', async () => `${aboutSchema}\n${printSchema(schema)}\n`],
  ...Object.entries(pages).map(([path, draw]): Text => [path, async () => draw(repository)]),
]

/** The contract has no file system access, and each language is loaded separately. */
async function listTranslations(): Promise<string> {
  const names = readdirSync(new URL('contract/translations', root)).map((name) => name.replace(/\.ts$/, ''))
  const lines = names.sort().map((name) => `  '${name}': () => import('./translations/${name}.ts'),`)
  return `// Listed from contract/translations by npm run generate.\n\nexport const translations = {\n${lines.join('\n')}\n} as const\n`
}

async function drawTables(): Promise<string> {
  const database = await freshDatabase()
  try {
    return await describeSchema(database.ownerUrl)
  } finally {
    await database.drop()
  }
}

async function refresh(path: string, make: () => Promise<string>): Promise<string[]> {
  const file = new URL(path, root)
  const text = await make()
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return []
  if (!check) writeFileSync(file, text)
  return [path]
}

async function refreshDocuments(): Promise<string[]> {
  const { generateDocuments } = await import('../../web/api/generate.ts')
  const { changed } = await generateDocuments({ check })
  return changed.map((path) => `web/${path}`)
}

const stale: string[] = []
for (const [path, make] of texts) stale.push(...(await refresh(path, make)))
stale.push(...(await refreshDocuments()))

const verb = check ? 'stale' : 'written'
console.log(
  stale.length === 0 ? 'Everything generated is current.' : stale.map((path) => `${verb}: ${path}`).join('\n'),
)
if (check && stale.length > 0) {
  console.log('Run npm run generate, and commit the result.')
  process.exitCode = 1
}
