import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Arrow, documentsOf, findCircles, readArrows, sourcesOf } from './import-graph.ts'

/** The server's layers, lowest first; a file imports its own layer and those below it (decision 0070). */
const floors = ['foundation', 'domains', 'http and graphql', 'composition'] as const
/** Configuration read from the environment: loaded at the top, importable from every layer. */
const configuration = /^server\/(?:config|environment|misspelt-settings|read-environment|tracing-settings)\.ts$/
const foundationFolders = new Set(['foundation', 'postgres', 'queue', 'observability', 'migrations'])
const endpoints = new Set(['http', 'graphql'])
/** The rooms of the web, lowest first; the apps on top do not import each other (decision 0070). */
const webRooms: readonly string[] = ['api', 'ui', 'forms', 'features', 'apps']
const webApps = new Set(['portal', 'desk', 'viewer'])
/** Files that define endpoints or GraphQL types are in their domain's folder but belong to the layer above. */
const ofEndpoints = /\/(?:[a-z-]+-)?(?:calls|callbacks|graph)\.ts$/
const callsOfServer = /^server\/([^/]+)\/(?:.+\/)?(?:[a-z-]+-)?calls\.ts$/
const callsOfContract = /^contract\/([^/]+)\/(?:[a-z-]+-)?calls\.ts$/
/** Tests, and the test kits that adapters share. */
const ofTests = /\.(?:test|journey)\.tsx?$|(?:\/|-)(?:under-test|tests)\.ts$/
const product = /^(?:contract|server|web)\//
const outsideOfProduct = /^(?:scripts|demo|simulators|tests|bench|journeys)\//
export const filesOfFolderMax = 40
const linesOfFileMax = 400
const generated = /\.generated\.ts$|\/generated\//
/** Dated lists that only grow: their files never move, and a date or number finds them (decision 0078). */
const growingFolders = new Set(['docs/decisions', 'server/migrations'])

export type Findings = {
  /** Files that import each other, types included. */
  circlesOfFiles: string[]
  /** Server domains with cyclic value imports. */
  circlesOfDomains: string[]
  /** Files of the product that import tests or code outside the product. */
  outsideOfProduct: string[]
  /** Server files that import from a higher layer. */
  upward: string[]
  /** Files of the web that import from a room above theirs or from another app. */
  upwardOfWeb: string[]
  /** Files that open a call of the contract that is not in the folder of their own domain. */
  callsOfOthers: string[]
  largeFolders: string[]
  /** Files written by hand, tests included, above the limit of lines. */
  longFiles: string[]
}

/** All violations of the layers in a repository. */
export function inspectFloors(root: string): Findings & { arrows: number; files: number } {
  const files = sourcesOf(root)
  const arrows = readArrows(root, files)
  const ofProduct = arrows.filter(({ from }) => product.test(from) && !ofTests.test(from))
  const ofServer = ofProduct.filter(({ from }) => from.startsWith('server/'))
  const betweenDomains = ofServer.filter((arrow) => !ofTests.test(arrow.to) && isBetweenDomains(arrow))
  return {
    files: files.length,
    arrows: arrows.length,
    circlesOfFiles: findCircles(arrows.map(({ from, to }) => [from, to])).map((circle) => circle.join(' ')),
    circlesOfDomains: findCircles(betweenDomains.map(({ from, to }) => [folderOf(from), folderOf(to)])).map((circle) =>
      circle.join(' '),
    ),
    outsideOfProduct: ofProduct.filter(({ to }) => outsideOfProduct.test(to) || ofTests.test(to)).map(describeArrow),
    upward: ofServer
      .filter(({ from, to }) => to.startsWith('server/') && floorOf(from) < floorOf(to))
      .map(describeArrow),
    upwardOfWeb: ofProduct.filter(isUpwardOfWeb).map(describeArrow),
    callsOfOthers: ofServer.filter(isCallOfOther).map(describeArrow),
    largeFolders: largeFoldersOf([...files, ...documentsOf(root)]),
    longFiles: files.filter((file) => !generated.test(file) && linesOf(root, file) > linesOfFileMax),
  }
}

const describeArrow = ({ from, to }: Arrow) => `${from} -> ${to}`

const folderOf = (file: string): string => /^server\/([^/]+)\//.exec(file)?.[1] ?? ''

const isDomain = (folder: string) =>
  folder !== '' && folder !== 'admin' && !foundationFolders.has(folder) && !endpoints.has(folder)

function isBetweenDomains({ from, to, names }: Arrow): boolean {
  const [user, used] = [folderOf(from), folderOf(to)]
  return names === 'values' && user !== used && isDomain(user) && isDomain(used)
}

function floorOf(file: string): number {
  const folder = folderOf(file)
  if (foundationFolders.has(folder) || configuration.test(file)) return floors.indexOf('foundation')
  if (endpoints.has(folder)) return floors.indexOf('http and graphql')
  if (!isDomain(folder)) return floors.indexOf('composition')
  return floors.indexOf(ofEndpoints.test(file) ? 'http and graphql' : 'domains')
}

/** `contract/` has the server's folders: a call is found under the name of the domain that opens it (decision 0078). */
function isCallOfOther({ from, to, names }: Arrow): boolean {
  const [opener, holder] = [callsOfServer.exec(from)?.[1], callsOfContract.exec(to)?.[1]]
  return names === 'values' && opener !== undefined && holder !== undefined && opener !== holder
}

/** Files beside the rooms configure the build and read from all of them. */
function isUpwardOfWeb({ from, to }: Arrow): boolean {
  const [user, used] = [webRoomOf(from), webRoomOf(to)]
  if (!user || !used || user === used) return false
  return webFloorOf(user) < webFloorOf(used) || (webApps.has(user) && webApps.has(used))
}

const webRoomOf = (file: string): string | undefined => /^web\/([^/]+)\//.exec(file)?.[1]

const webFloorOf = (room: string): number => (webApps.has(room) ? webRooms.indexOf('apps') : webRooms.indexOf(room))

const linesOf = (root: string, file: string): number => readFileSync(join(root, file), 'utf8').match(/\n/g)?.length ?? 0

function largeFoldersOf(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > filesOfFolderMax && !growingFolders.has(folder))
    .map(([folder]) => folder)
}
