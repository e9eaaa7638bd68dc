import { type Arrow, findCircles, readArrows, sourcesOf } from './import-graph.ts'

/** The floors of the server from the ground up; a file imports its own floor and those below it (decision 0070). */
const floors = ['foundation', 'domains', 'http and graphql', 'composition'] as const
/** What the environment said: read at the top, and known to all that it is handed to. */
const configuration = /^server\/(?:config|environment|misspelt-settings|tracing-settings)\.ts$/
const grounds = new Set(['foundation', 'postgres', 'queue', 'observability', 'migrations'])
const endpoints = new Set(['http', 'graphql'])
/** What opens routes or adds types to the graph stands beside its domain and belongs to the floor above. */
const ofEndpoints = /\/(?:[a-z-]+-)?(?:calls|callbacks|graph)\.ts$/
/** Tests, and the kits of them that adapters share. */
const ofTests = /\.(?:test|journey)\.tsx?$|(?:\/|-)(?:under-test|tests)\.ts$/
const outsideOfProduct = /^(?:scripts|demo|simulators|tests|bench|journeys)\//
export const filesOfFolderMax = 40

export type Findings = {
  /** Files that import each other, types included. */
  circlesOfFiles: string[]
  /** Domains of the server whose values import each other. */
  circlesOfDomains: string[]
  /** Files of the server that import what is no part of the product, or tests. */
  outsideOfProduct: string[]
  /** Files of the server that import a floor above their own. */
  upward: string[]
  largeFolders: string[]
}

/** Everything that keeps the sources of a repository from standing on floors. */
export function inspectFloors(root: string): Findings & { arrows: number; files: number } {
  const files = sourcesOf(root)
  const arrows = readArrows(root, files)
  const ofServer = arrows.filter(({ from }) => from.startsWith('server/') && !ofTests.test(from))
  const betweenDomains = ofServer.filter((arrow) => !ofTests.test(arrow.to) && isBetweenDomains(arrow))
  return {
    files: files.length,
    arrows: arrows.length,
    circlesOfFiles: findCircles(arrows.map(({ from, to }) => [from, to])).map((circle) => circle.join(' ')),
    circlesOfDomains: findCircles(betweenDomains.map(({ from, to }) => [folderOf(from), folderOf(to)])).map((circle) =>
      circle.join(' '),
    ),
    outsideOfProduct: ofServer.filter(({ to }) => outsideOfProduct.test(to) || ofTests.test(to)).map(say),
    upward: ofServer.filter(({ from, to }) => to.startsWith('server/') && floorOf(from) < floorOf(to)).map(say),
    largeFolders: largeFoldersOf(files),
  }
}

const say = ({ from, to }: Arrow) => `${from} -> ${to}`

const folderOf = (file: string): string => /^server\/([^/]+)\//.exec(file)?.[1] ?? ''

const isDomain = (folder: string) =>
  folder !== '' && folder !== 'admin' && !grounds.has(folder) && !endpoints.has(folder)

function isBetweenDomains({ from, to, names }: Arrow): boolean {
  const [user, used] = [folderOf(from), folderOf(to)]
  return names === 'values' && user !== used && isDomain(user) && isDomain(used)
}

function floorOf(file: string): number {
  const folder = folderOf(file)
  if (grounds.has(folder) || configuration.test(file)) return floors.indexOf('foundation')
  if (endpoints.has(folder)) return floors.indexOf('http and graphql')
  if (!isDomain(folder)) return floors.indexOf('composition')
  return floors.indexOf(ofEndpoints.test(file) ? 'http and graphql' : 'domains')
}

function largeFoldersOf(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > filesOfFolderMax).map(([folder]) => folder)
}
