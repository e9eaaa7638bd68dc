import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildASTSchema, type DocumentNode, parse } from 'graphql'

const web = fileURLToPath(new URL('..', import.meta.url))
const folder = join(web, 'api/generated/')
const schemaFile = fileURLToPath(new URL('../../contract/schema.graphql', import.meta.url))

const scalars = { Money: 'string', Millis: 'number', Seconds: 'number', JSONText: 'string', ID: 'string' }
const tagged = /graphql\(\s*`([^`]*)`/g

/** The GraphQL documents of the features, in a stable order for reproducible output. */
async function readDocuments() {
  const paths: string[] = []
  for await (const path of glob('features/**/*.queries.ts', { cwd: web })) paths.push(path)
  const found = await Promise.all(
    paths.sort().map(async (path) => {
      const source = await readFile(join(web, path), 'utf8')
      return [...source.matchAll(tagged)].map(([, rawSDL = '']) => ({
        location: path,
        rawSDL,
        document: parse(rawSDL),
        hash: '',
      }))
    }),
  )
  return found.flat()
}

async function generateFiles(schema: DocumentNode) {
  const parts = await preset.buildGeneratesSection({
    baseOutputDir: folder,
    config: {
      documentMode: 'string',
      useTypeImports: true,
      scalars,
      strictScalars: true,
      skipTypename: true,
      enumsAsTypes: true,
    },
    documents: await readDocuments(),
    pluginMap: {},
    plugins: [],
    presetConfig: { fragmentMasking: false, skipIndexFile: true },
    schema,
    schemaAst: buildASTSchema(schema),
  })
  return Promise.all(parts.map(async (part) => ({ path: part.filename, content: await codegen(part) })))
}

const readIfThere = (path: string) => readFile(path, 'utf8').catch(() => '')

/** Generates types for the GraphQL documents from the printed schema. With `check` it writes nothing. */
export async function generateDocuments({ check }: { check: boolean }): Promise<{ changed: string[] }> {
  const files = await generateFiles(parse(await readFile(schemaFile, 'utf8')))
  const changed: string[] = []
  for (const { path, content } of files) {
    if ((await readIfThere(path)) === content) continue
    changed.push(relative(web, path))
    if (check) continue
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return { changed }
}
