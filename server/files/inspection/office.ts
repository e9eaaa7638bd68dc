import { posix } from 'node:path'
import { bytesOf, type FileBytes } from '../file-bytes.ts'
import { compoundProblem, isCompound } from './compound.ts'
import { problemOfConnections } from './office-connections.ts'
import { makeFieldSearch } from './office-fields.ts'
import { makeFormulaSearch } from './office-formulas.ts'
import { readElements } from './office-xml.ts'
import { networkPath, runningScheme } from './outside-address.ts'
import { endsAsZip, entryContent, readZip, unpackEntry, type ZipEntry } from './zip.ts'

export type OfficeProblem = 'office-broken' | 'office-macros' | 'office-embeds' | 'office-remote' | 'office-protected'
/** The kind of document by its own tables, why it is refused, or another kind of zip. */
export type OfficeReading = { kind: string | null } | { problem: OfficeProblem }

/** For types and relationships: large workbooks have some hundreds of kilobytes. */
const tableBytesMax = 4_000_000
const tablesBytesMax = 8_000_000
const embeddedBytesMax = 20_000_000
const depthMax = 2

const mainTypes: [RegExp, string][] = [
  [/\bwordprocessingml\.document\.main\+xml$/, 'docx'],
  [/\bspreadsheetml\.sheet\.main\+xml$/, 'xlsx'],
  [/\bpresentationml\.(presentation|slideshow)\.main\+xml$/, 'pptx'],
]
const macroTypes = /macroEnabled|vbaProject|vbaData|macrosheet|activeX|dialogsheet|attachedToolbars/i
const macroLinks =
  /^(vbaProject|wordVbaData|xlMacrosheet|xlIntlMacrosheet|control|activeXControlBinary|attachedToolbars|extensibility)$/i
const programs = /\.(exe|dll|js|jse|vbs|vbe|wsf|bat|cmd|ps1|scr|com|hta|html?|lnk|jar|sct|msi)$/i

/**
 * A modern office file, read as office programs read it (ECMA-376, part 2): the content types give each part's type, the relationships
 * give the document part and what it loads. Unpacks every part once, without storing it, to compare it with the zip's directory.
 */
export async function readOffice(bytes: FileBytes, depth = 0): Promise<OfficeReading> {
  if (!(await endsAsZip(bytes))) return { problem: 'office-broken' }
  const entries = await readZip(bytes)
  if (!entries) return { problem: 'office-broken' }
  const types = await readTypes(bytes, entries)
  if (types === 'none') return { kind: null }
  if (!types) return { problem: 'office-broken' }
  const links = await readLinks(bytes, entries)
  const main = links && mainPart(links, entries)
  if (!main) return { problem: 'office-broken' }
  const problem =
    problemOfNames(entries, types) ??
    problemOfLinks(links) ??
    (await problemOfConnections(bytes, entries, types)) ??
    (await problemOfParts(bytes, { entries, depth, hasFormulas: formulaParts(links, types) }))
  if (problem) return { problem }
  return { kind: mainTypes.find(([type]) => type.test(types(main.name)))?.[1] ?? null }
}

type TypeOf = (name: string) => string

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

async function readTypes(bytes: FileBytes, entries: ZipEntry[]): Promise<TypeOf | 'none' | null> {
  const part = entries.find(({ name }) => sameName(name, '[Content_Types].xml'))
  if (!part) return 'none'
  const content = await entryContent(bytes, part, tableBytesMax)
  const elements = content && readElements(content)
  if (!elements) return null
  const types = new Map<string, string>()
  for (const { name, attributes } of elements) {
    const key = name === 'Default' ? `.${attributes.Extension ?? ''}` : (attributes.PartName ?? '')
    if (name === 'Default' || name === 'Override') types.set(key.toLowerCase(), attributes.ContentType ?? '')
  }
  return (name) => {
    const key = name.toLowerCase()
    return types.get(`/${key}`) ?? types.get(`.${key.split('.').at(-1)}`) ?? ''
  }
}

/** `type` is the last segment of the relationship's URI: transitional and strict documents differ in the rest. */
type Link = { from: string; type: string; target: string; isOutside: boolean }

async function readLinks(bytes: FileBytes, entries: ZipEntry[]): Promise<Link[] | null> {
  const links: Link[] = []
  const tables = entries.filter(({ name }) => /\.rels$/i.test(name))
  if (tables.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0) > tablesBytesMax) return null
  for (const part of tables) {
    const content = await entryContent(bytes, part, tableBytesMax)
    const elements = content && readElements(content)
    if (!elements) return null
    for (const { name, attributes } of elements) {
      if (name !== 'Relationship') continue
      const type = (attributes.Type ?? '').split('/').at(-1) ?? ''
      const isOutside = (attributes.TargetMode ?? '').toLowerCase() === 'external'
      links.push({ from: part.name, type, target: (attributes.Target ?? '').trim(), isOutside })
    }
  }
  return links
}

function mainPart(links: Link[], entries: ZipEntry[]): ZipEntry | null {
  const named = links.filter(({ from, type }) => sameName(from, '_rels/.rels') && type === 'officeDocument')
  const [link] = named
  if (!link || named.length > 1 || link.isOutside) return null
  const path = link.target.replace(/^(\.?\/)+/, '')
  return entries.find(({ name }) => sameName(name, path)) ?? null
}

function problemOfNames(entries: ZipEntry[], typeOf: TypeOf): OfficeProblem | null {
  for (const { name } of entries) {
    if (macroTypes.test(typeOf(name)) || /(^|\/)(vbaProject|vbaData|activeX)[^/]*$/i.test(name)) return 'office-macros'
    if (programs.test(name)) return 'office-embeds'
  }
  return null
}

const clicked = /^(hyperlink|externalLinkPath\w*|xlPathMissing|xlExternalLinkPath\w*)$/i
const shown = /^(image|video|audio|media)$/i

/** Links need a click and pictures may come from the web, but an external template, object or frame can load a program. */
function problemOfLinks(links: Link[]): OfficeProblem | null {
  for (const { type, target, isOutside } of links) {
    if (macroLinks.test(type)) return 'office-macros'
    if (type.toLowerCase() === 'afchunk') return 'office-embeds'
    if (!isOutside) continue
    if (runningScheme.test(target)) return 'office-remote'
    if (clicked.test(type) || (shown.test(type) && !networkPath.test(target))) continue
    const isLocal = !/^[a-z][a-z0-9+.-]+:/i.test(target) || /^file:/i.test(target)
    if (!isLocal || networkPath.test(target)) return 'office-remote'
  }
  return null
}

/** A sheet, or the workbook, whose defined names are formulas too. */
const formulaTypes = /\bspreadsheetml\.(worksheet|(sheet|template)\.main)\+xml\b/i

/** Whether a part has formulas by its type or by a relationship: some programs open it by the one, some by the other. */
function formulaParts(links: Link[], typeOf: TypeOf): (name: string) => boolean {
  const linked = new Set(links.filter(({ type }) => /^worksheet$/i.test(type)).map(targetOf))
  return (name) => formulaTypes.test(typeOf(name)) || linked.has(name.toLowerCase())
}

/** The part that a relationship names, relative to the folder of its own part. */
function targetOf({ from, target }: Link): string {
  const folder = from.replace(/_rels\/[^/]*$/i, '')
  return posix
    .join(target.startsWith('/') ? '' : folder, target)
    .replace(/^\/+/, '')
    .toLowerCase()
}

type Parts = { entries: ZipEntry[]; depth: number; hasFormulas(name: string): boolean }

async function problemOfParts(bytes: FileBytes, { entries, depth, hasFormulas }: Parts): Promise<OfficeProblem | null> {
  for (const entry of entries) {
    const problem = await problemOfPart(bytes, entry, { depth, isSheet: hasFormulas(entry.name) })
    if (problem) return problem
  }
  return null
}

async function problemOfPart(
  bytes: FileBytes,
  entry: ZipEntry,
  { isSheet, depth }: { isSheet: boolean; depth: number },
): Promise<OfficeProblem | null> {
  const problemOfFields = makeFieldSearch()
  const problemOfFormulas = isSheet ? makeFormulaSearch() : null
  let head = Buffer.alloc(0)
  let embedded: Buffer[] | null = null
  let problem: OfficeProblem | null = null
  const isWhole = await unpackEntry(bytes, entry, (chunk) => {
    if (head.length === 0) {
      head = Buffer.from(chunk.subarray(0, 8))
      const isContainer = isCompound(head) || isZip(head)
      if (isContainer && entry.unpackedBytes <= embeddedBytesMax) embedded = []
      else if (isContainer || isProgram(head)) problem = 'office-embeds'
    }
    embedded?.push(Buffer.from(chunk))
    if (isXml(head)) problem ??= problemOfFields(chunk) ?? problemOfFormulas?.(chunk) ?? null
  })
  if (!isWhole) return 'office-broken'
  return problem ?? (embedded && (await problemOfEmbedded(bytesOf(Buffer.concat(embedded)), depth)))
}

/** By its content: the type that a part claims is not what decides how it is read. */
const isXml = (head: Buffer): boolean =>
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:<|$)/.test(head.toString('latin1'))
const isZip = (head: Buffer): boolean => head.toString('latin1', 0, 4) === 'PK\u0003\u0004'
const isProgram = (head: Buffer): boolean => /^(MZ|\x7fELF|#!|\xca\xfe\xba\xbe)/.test(head.toString('latin1'))

/** Embedded files, such as an equation or a chart's workbook, are judged like a file of their own. */
async function problemOfEmbedded(bytes: FileBytes, depth: number): Promise<OfficeProblem | null> {
  if (isCompound(await bytes.read(0, 8))) return compoundProblem(bytes)
  if (depth >= depthMax) return 'office-embeds'
  const inner = await readOffice(bytes, depth + 1)
  if ('problem' in inner) return inner.problem
  return inner.kind === null ? 'office-embeds' : null
}
