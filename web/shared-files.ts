import { build, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { type Load, type NaturalChunk, planChunks } from './chunk-plan.ts'

type Chunk = Rolldown.OutputChunk

/** Builds once with the bundler's own chunks, then returns the file of each shared module. */
export async function planSharedFiles(config: UserConfig): Promise<(id: string) => string | null> {
  const { chunks, sizes } = await buildAlone(config)
  const natural = chunks.map((chunk) => naturalOf(chunk, sizes))
  const { groups, stylesIn } = planChunks(natural, loadsOf(chunks))
  const groupOf = new Map(groups.flatMap((group, index) => group.map((name) => [name, `shared-${index + 1}`])))
  const fileOf = new Map<string, string | undefined>()
  for (const { fileName, modules } of chunks) {
    const styles = stylesIn.get(fileName) ?? fileName
    for (const id of Object.keys(modules)) fileOf.set(id, groupOf.get(isStyles(id) ? styles : fileName))
  }
  return (id) => fileOf.get(id) ?? null
}

const isStyles = (id: string): boolean => id.endsWith('.css')

/** Unminified styles shrink more than scripts do. */
const stylesShrinkage = 2

function naturalOf(chunk: Chunk, sizes: Map<string, number>): NaturalChunk {
  const bytesOf = (isStyle: boolean): number =>
    Object.entries(chunk.modules)
      .filter(([id]) => isStyles(id) === isStyle)
      .reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0)
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  return {
    name: chunk.fileName,
    bytes: bytesOf(false),
    // The names of the classes are a module beside the styles.
    styles: bytesOf(true) + styles / stylesShrinkage,
    imports: chunk.imports,
    opens: chunk.dynamicImports,
    ...(chunk.isEntry && { entry: 'app' }),
    ...(chunk.isDynamicEntry && { entry: 'part' }),
  }
}

/** The bundler's own chunks, and the sizes of all other files by name. */
async function buildAlone(config: UserConfig): Promise<{ chunks: Chunk[]; sizes: Map<string, number> }> {
  const chunks: Chunk[] = []
  const sizes = new Map<string, number>()
  /** Sees the chunks that are styles only, which Vite then removes. */
  const readSizes: Plugin = {
    name: 'atrium-chunk-sizes',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') chunks.push({ ...file, imports: [...file.imports] })
          else sizes.set(file.fileName, file.source.length)
        }
      },
    },
  }
  await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    plugins: [readSizes, ...(config.plugins ?? [])],
    build: { ...config.build, write: false, minify: false, cssMinify: false, reportCompressedSize: false },
  })
  return { chunks, sizes }
}

/**
 * The weight of each load: everyone sees the sign-in page and then the frame with the home page, staff the queue of deposits; few open
 * every dialog.
 */
const weights = {
  first: 300,
  desk: 500,
  frame: 450,
  home: 430,
  queue: 150,
  visited: 38,
  page: 1,
  opened: 0.1,
}

/** The cost of a request for the loads with the tightest byte limits (scripts/checks/first-load.ts). */
const requestBytes = {
  frame: 5_000,
  home: 6_000,
  desk: 3_000,
  queue: 30_000,
  accounts: 16_000,
  visited: 16_000,
}

function loadsOf(chunks: readonly Chunk[]): Load[] {
  const entries = chunks.filter(({ facadeModuleId }) => facadeModuleId !== null)
  const named = (...ends: string[]): string[] => ends.map((end) => nameOf(entries, end))
  const signIn: Load = { entries: named('/portal/sign-in.html'), weight: weights.first }
  const deskSignIn: Load = { entries: named('/desk/index.html'), weight: weights.desk, requestBytes: requestBytes.desk }
  // Members sign in on a separate page; staff sign in on the page that then loads their frame.
  const frameOf = (app: string, after: Load | undefined, ...parts: string[]) => {
    const entries = named(`/${app}/index.html`, ...parts)
    return {
      app,
      frame: {
        entries,
        weight: weights.frame,
        requestBytes: after ? requestBytes.desk : requestBytes.frame,
        ...(after && { after }),
      } satisfies Load,
    }
  }
  const portal = frameOf('portal', undefined)
  const desk = frameOf('desk', deskSignIn, '/desk/shell/shell.tsx')
  const home = {
    entries: named('/portal/pages/home-page.tsx'),
    after: portal.frame,
    weight: weights.home,
    requestBytes: requestBytes.home,
  }
  const queue = {
    entries: named('/desk-deposits/deposits-page.tsx'),
    after: desk.frame,
    weight: weights.queue,
    requestBytes: requestBytes.queue,
  }
  const [accounts, deposit, transactions] = ['accounts', 'deposit', 'transactions'].map((page) => ({
    entries: named(`/portal/pages/${page}-page.tsx`),
    after: portal.frame,
    weight: weights.visited,
    requestBytes: page === 'accounts' ? requestBytes.accounts : requestBytes.visited,
  })) as [Load, Load, Load]
  // Sandboxed pages share no module with the apps, so that framed code cannot touch what it is isolated from.
  const framed = named('/viewer/index.html', '/viewer/form.html').map(
    (entry): Load => ({ entries: [entry], weight: weights.first }),
  )
  const known = new Set([signIn, deskSignIn, portal.frame, desk.frame, ...framed].flatMap(({ entries: each }) => each))
  const others = entries
    .filter(({ fileName }) => !known.has(fileName))
    .map(({ fileName, facadeModuleId }): Load => {
      const isDeskPage = /\/features\/desk-[^/]+\/[^/]+-page\.tsx$/.test(facadeModuleId ?? '')
      const page = isDeskPage ? desk : [portal, desk].find(({ app }) => facadeModuleId?.includes(`/web/${app}/`))
      const after = page?.frame ?? portal.frame
      return { entries: [fileName], after, weight: page ? weights.page : weights.opened }
    })
  return [
    signIn,
    deskSignIn,
    portal.frame,
    desk.frame,
    ...framed,
    home,
    queue,
    accounts,
    deposit,
    transactions,
    ...others,
  ]
}

function nameOf(entries: readonly Chunk[], end: string): string {
  const found = entries.find(({ facadeModuleId }) => facadeModuleId?.endsWith(end))
  if (!found) throw new Error(`No entry of the web ends with ${end}.`)
  return found.fileName
}
