import { type FileBytes, type Piece, windowBytes, windowsOf } from '../file-bytes.ts'
import { runningScheme } from './outside-address.ts'
import { isFormatScript, textOf } from './pdf-format-script.ts'
import { type PdfVisitor, walkPdf } from './pdf-objects.ts'
import { entriesOf, nameOf, type PdfDict, PdfTangled, PdfUnreadable, type PdfValue, valuesOf } from './pdf-syntax.ts'
import { afterRemarks, makeTextSearch, remark } from './plain-text.ts'

export type PdfProblem =
  | 'pdf-broken'
  | 'pdf-unreadable'
  | 'pdf-mixed'
  | 'pdf-protected'
  | 'pdf-script'
  | 'pdf-opens'
  | 'pdf-sends'
  | 'pdf-xfa'
  | 'pdf-media'
  | 'pdf-attached'

/** The most that mail programs and web servers put before a file. */
const leadBytesMax = 1_024
const endMark = '%%EOF'
const markup = /<\s*(script|html|svg|iframe|body|!doctype|\?php)/i

/** A PDF that does nothing by itself, without the bytes before its start and after its end. */
export async function readPdf(bytes: FileBytes): Promise<Piece[] | { problem: PdfProblem }> {
  const span = await findSpan(bytes)
  if (!span) return { problem: 'pdf-broken' }
  const judge = new PdfJudge()
  try {
    await walkPdf(bytes, span, judge)
  } catch (problem) {
    if (problem instanceof PdfTangled) return { problem: 'pdf-broken' }
    if (problem instanceof PdfUnreadable) return { problem: judge.verdict() ?? 'pdf-unreadable' }
    throw problem
  }
  const problem = judge.verdict()
  return problem ? { problem } : [span]
}

/** From `%PDF` to the line of the last end mark. Blanks may surround it, and a server's comment may follow. */
async function findSpan(bytes: FileBytes): Promise<{ from: number; to: number } | null> {
  const head = (await bytes.read(0, leadBytesMax + 8)).toString('latin1')
  const lead = /^(?:\xef\xbb\xbf)?[\s\0]*/.exec(head)?.[0].length ?? 0
  if (!/^%PDF-[12]\.\d/.test(head.slice(lead))) return null
  const end = await findLastEnd(bytes, lead)
  if (end === null) return null
  const line = /^\r?\n?/.exec((await bytes.read(end, 2)).toString('latin1'))?.[0].length ?? 0
  return (await isEmptyTail(bytes, end)) ? { from: lead, to: end + line } : null
}

/** The offset after the last end mark; searches backwards, since the mark is near the end of the file. */
async function findLastEnd(bytes: FileBytes, from: number): Promise<number | null> {
  for (let to = bytes.sizeBytes; ; to -= windowBytes - endMark.length + 1) {
    const at = Math.max(from, to - windowBytes)
    const found = (await bytes.read(at, to - at)).lastIndexOf(endMark)
    if (found !== -1) return at + found + endMark.length
    if (at === from) return null
  }
}

async function isEmptyTail(bytes: FileBytes, from: number): Promise<boolean> {
  let rest = ''
  for await (const { content } of windowsOf(bytes, from, bytes.sizeBytes)) {
    rest = afterRemarks(rest + content.toString('latin1'))
    if (rest !== '' && !remark.open.startsWith(rest.slice(0, remark.open.length))) return false
    // For a comment that continues, the next window needs its beginning and its end.
    if (rest.length > remark.open.length) rest = `${remark.open}${rest.slice(remark.open.length).slice(-2)}`
  }
  return rest === ''
}

/** Actions (by their `S`) that do more than navigate in the document. */
const actions: Record<string, PdfProblem> = {
  JavaScript: 'pdf-script',
  Launch: 'pdf-opens',
  GoToR: 'pdf-opens',
  GoToE: 'pdf-opens',
  ImportData: 'pdf-opens',
  SubmitForm: 'pdf-sends',
  Rendition: 'pdf-media',
  RichMediaExecute: 'pdf-media',
  Movie: 'pdf-media',
  Sound: 'pdf-media',
}
const mediaTypes = new Set(['RichMedia', 'Movie', 'Screen', 'Sound', '3D'])
/** Dictionaries whose keys are names chosen by the author: of fonts, pictures, colours and places. */
const freelyNamed = new Set(
  'Font XObject ColorSpace ExtGState Pattern Shading Properties Dests CharProcs Colorants RoleMap ClassMap'.split(' '),
)
/** The attachment of electronic invoices (Factur-X, ZUGFeRD, Order-X): data that no program runs. */
const dataName = /^[\w .-]+\.xml$/i
/** Files of this computer or of a network share. */
const filePath = /^(?:file:|\\\\)/i
/** Addresses that run code, open a program or read such files. Readers drop blanks and control characters. */
const isInward = (raw: string): boolean => {
  const address = textOf(raw).replace(/[\s\p{Cc}\p{Cf}]/gu, '')
  return runningScheme.test(address) || filePath.test(address)
}
/** The trigger events of additional actions (ISO 32000, 12.6.3). */
const triggers = new Set('E X D U Fo Bl PO PC PV PI O C K F V WC WS DS WP DP'.split(' '))

/** The values of a key in a dictionary, all of them if it occurs more than once. */
type Values = (key: string) => PdfValue[]

/** The context of a dictionary: its key, and whether its action starts by itself. */
type Place = { key: string | null; isBegun: boolean; number: number | null }

class PdfJudge implements PdfVisitor {
  readonly #hasMarkup = makeTextSearch({ pattern: markup, mark: '<' })
  readonly #problems = new Set<PdfProblem>()
  /** Objects that start by themselves (`OpenAction`, `AA`), those that refer to further actions, and those that open an address. */
  readonly #begun = new Set<number>()
  readonly #leading = new Map<number, number[]>()
  readonly #addresses = new Set<number>()
  /** Addresses in objects of their own. */
  readonly #namedAddresses = new Set<number>()
  readonly #inwardTexts = new Set<number>()
  /** Scripts in objects of their own. */
  readonly #scripts = new Set<number>()
  readonly #formatScripts = new Set<number>()
  readonly #otherTexts = new Set<number>()
  #attachments = { named: 0, other: 0, isListed: false }

  between(bytes: Buffer): void {
    if (this.#hasMarkup(bytes, false)) this.#problems.add('pdf-mixed')
  }

  object(value: PdfValue, number: number | null): void {
    const name = nameOf(value)
    // The name of an action may be an object of its own.
    if (name !== null && Object.hasOwn(actions, name)) this.#problems.add(actions[name] ?? 'pdf-script')
    if (number !== null) {
      if (value.kind === 'text' && isFormatScript(value.text)) this.#formatScripts.add(number)
      else this.#otherTexts.add(number)
      if (value.kind === 'text' && isInward(value.text)) this.#inwardTexts.add(number)
      if (value.kind === 'dict') this.#noteLead(value, number)
    }
    this.#judge(value, { key: null, isBegun: false, number })
  }

  verdict(): PdfProblem | null {
    if (this.#hasMarkup('', true)) this.#problems.add('pdf-mixed')
    for (const number of this.#scripts)
      if (!this.#formatScripts.has(number) || this.#otherTexts.has(number)) this.#problems.add('pdf-script')
    for (const number of this.#begun) for (const next of this.#leading.get(number) ?? []) this.#begun.add(next)
    const isBegun = [...this.#addresses].some((at) => this.#begun.has(at))
    if (isBegun || !this.#namedAddresses.isDisjointFrom(this.#inwardTexts)) this.#problems.add('pdf-opens')
    const { named, other, isListed } = this.#attachments
    if (other > 0 || (isListed && named === 0)) this.#problems.add('pdf-attached')
    if (this.#problems.has('pdf-protected')) return 'pdf-protected'
    return [...this.#problems][0] ?? null
  }

  #judge(value: PdfValue, place: Place): void {
    if (!('items' in value)) return
    if (value.kind === 'dict') this.#judgeDict(value, place)
    const isTriggers = value.kind === 'dict' && hasOnlyTriggers(value)
    for (const [at, item] of value.items.entries()) {
      const key = value.kind === 'list' ? place.key : nameOf(value.items[at - 1])
      const isBegun = place.isBegun || key === 'AA' || key === 'OpenAction'
      this.#judge(item, { key, isBegun, number: isTriggers ? place.number : null })
    }
  }

  #judgeDict(dict: PdfDict, place: Place): void {
    const byKey = Map.groupBy(entriesOf(dict), ([key]) => key)
    const values = (key: string) => (byKey.get(key) ?? []).map(([, value]) => value)
    const said = { S: new Set<string>(), Subtype: new Set<string>() }
    for (const [at, item] of dict.items.entries()) {
      const [key, value] = [nameOf(item), nameOf(dict.items[at + 1])]
      if ((key === 'S' || key === 'Subtype') && value !== null) said[key].add(value)
    }
    for (const action of said.S) this.#judgeAction(action, values, place)
    for (const type of said.Subtype) if (mediaTypes.has(type)) this.#problems.add('pdf-media')
    if (place.isBegun) this.#noteBegun(dict, place.key)
    if (place.key !== null && freelyNamed.has(place.key)) return
    for (const key of byKey.keys()) if (!values(key).every(isNull)) this.#judgeKey(key, values)
  }

  #judgeAction(action: string, values: Values, { isBegun, number }: Place): void {
    if (action === 'URI') {
      for (const value of values('URI')) {
        if (value.kind === 'ref') this.#namedAddresses.add(value.to)
        if (value.kind === 'text' && isInward(value.text)) this.#problems.add('pdf-opens')
      }
      if (isBegun) this.#problems.add('pdf-opens')
      if (number !== null) this.#addresses.add(number)
    }
    // Without a file it names an article of this document.
    if (action === 'Thread' && !values('F').every(isNull)) this.#problems.add('pdf-opens')
    if (!Object.hasOwn(actions, action)) return
    const scripts = action === 'JavaScript' ? values('JS') : []
    const areFormats = scripts.every((script) => {
      if (script.kind === 'ref') this.#scripts.add(script.to)
      return script.kind === 'ref' || (script.kind === 'text' && isFormatScript(script.text))
    })
    if (scripts.length === 0 || !areFormats) this.#problems.add(actions[action] ?? 'pdf-script')
  }

  #judgeKey(key: string, values: Values): void {
    const own = values(key)
    if (key === 'JavaScript') this.#problems.add('pdf-script')
    if (key === 'JS' && values('S').length === 0 && own.some(({ kind }) => kind === 'text'))
      this.#problems.add('pdf-script')
    if (key === 'XFA') this.#problems.add('pdf-xfa')
    if (key === 'Base' && own.some((value) => value.kind === 'text' && isInward(value.text)))
      this.#problems.add('pdf-opens')
    if (isOutsideFile(key, values)) this.#problems.add('pdf-opens')
    if (key === 'RichMediaContent' || key === 'RichMediaSettings') this.#problems.add('pdf-media')
    if (key === 'AA' || key === 'OpenAction')
      for (const value of own) if (value.kind === 'ref') this.#begun.add(value.to)
    if (key === 'EmbeddedFiles' && !own.every(isEmptyTree)) this.#attachments.isListed = true
    if (key === 'EF') this.#attachments[isNamedAsData([...values('F'), ...values('UF')]) ? 'named' : 'other'] += 1
    if (key === 'Encrypt' && values('Root').length + values('Size').length > 0) this.#problems.add('pdf-protected')
  }

  #noteBegun(dict: PdfDict, key: string | null): void {
    for (const to of refsIn(dict, (name) => key === 'AA' || name === 'Next')) this.#begun.add(to)
  }

  #noteLead(dict: PdfDict, number: number): void {
    const areAll = hasOnlyTriggers(dict)
    const isAction = valuesOf(dict, 'S').length > 0
    const next = refsIn(dict, (name) => areAll || (isAction && name === 'Next'))
    if (next.length > 0) this.#leading.set(number, [...(this.#leading.get(number) ?? []), ...next])
  }
}

/** A stream whose content is another file (ISO 32000, 7.3.8.2), or a form that shows a page of another file (8.10.4). */
function isOutsideFile(key: string, values: Values): boolean {
  const isFile = ({ kind }: PdfValue): boolean => kind === 'text' || kind === 'dict' || kind === 'ref'
  if (key === 'F') return values('Length').length > 0 && values('F').some(isFile)
  const isForm = values('Subtype').some((value) => nameOf(value) === 'Form')
  return key === 'Ref' && values('Ref').some(({ kind }) => kind === 'dict' || (isForm && kind === 'ref'))
}

const isNull = (value: PdfValue): boolean => value.kind === 'word' && value.word === 'null'

function hasOnlyTriggers(dict: PdfDict): boolean {
  for (const [key] of entriesOf(dict)) if (!triggers.has(key)) return false
  return true
}

function refsIn(dict: PdfDict, isMeant: (key: string) => boolean): number[] {
  const refs: number[] = []
  for (const [key, value] of entriesOf(dict)) {
    if (!isMeant(key)) continue
    for (const item of value.kind === 'list' ? value.items : [value]) if (item.kind === 'ref') refs.push(item.to)
  }
  return refs
}

/** Some programs write an empty list of embedded files. */
function isEmptyTree(value: PdfValue): boolean {
  if (value.kind !== 'dict') return false
  const [names] = valuesOf(value, 'Names')
  return value.items.length === 0 || (value.items.length === 2 && names?.kind === 'list' && names.items.length === 0)
}

function isNamedAsData(names: PdfValue[]): boolean {
  return names.length > 0 && names.every((name) => name.kind === 'text' && dataName.test(textOf(name.text)))
}
