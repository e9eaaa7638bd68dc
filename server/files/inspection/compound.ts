import { type FileBytes, find, windowsOf } from '../file-bytes.ts'

/** The compound file format of old office files, judged by the names in its directory (UTF-16). */
const compoundSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const wide = (name: string): Buffer => Buffer.from(name, 'utf16le')
const mainStreams = { doc: ['WordDocument'], xls: ['Workbook', 'Book'] } as const
const others = { ppt: 'PowerPoint Document', msg: '__substg1.0_' } as const

export type CompoundProblem = 'office-macros' | 'office-embeds' | 'office-remote' | 'office-protected'
const active = {
  _VBA_PROJECT: 'office-macros',
  Ole10Native: 'office-embeds',
  EncryptedPackage: 'office-protected',
} as const

const fieldMark = '\u0013'
const fieldEnd = '\u0015'
/**
 * A field that starts a program, behind the mark that begins a field, in 8-bit or 16-bit text. The text behind its name, where other
 * fields may begin and end, tells it from the bytes of a picture.
 */
const startingField = new RegExp(
  `${fieldMark}${String.raw`[\s\0]*D\0?D\0?E\0?(?:A\0?U\0?T\0?O\0?)?[\s\0]`}[\\s\\0${fieldMark}-${fieldEnd}!-~]{4}`,
  'i',
)
/** The name under which a workbook keeps a later version's function that sends cells to an address, in 8-bit or 16-bit text. */
const asking = new RegExp(
  [...'_xlfn.WEBSERVICE'].map((letter) => `${letter === '.' ? '\\.' : letter}\\0?`).join(''),
  'i',
)
/** The entry of one sheet in a workbook (BIFF8, BoundSheet8, and BIFF5, which has no byte of flags before the name). */
const sheetMark = Buffer.from('8500', 'hex')
const sheetBytes = 12
const carriedBytes = 64

export const isCompound = (head: Buffer): boolean => head.subarray(0, 8).equals(compoundSignature)

/** Finds what no file may contain: macros, embedded programs and encrypted content. */
export async function compoundProblem(bytes: FileBytes): Promise<CompoundProblem | null> {
  for (const [name, problem] of Object.entries(active)) if (await hasStream(bytes, [name])) return problem
  const isWorkbook = await hasStream(bytes, mainStreams.xls)
  return problemOfContent(bytes, isWorkbook)
}

async function problemOfContent(bytes: FileBytes, isWorkbook: boolean): Promise<CompoundProblem | null> {
  let carried = Buffer.alloc(0)
  for await (const { content } of windowsOf(bytes, 0, bytes.sizeBytes)) {
    const joined = Buffer.concat([carried, content])
    if (isWorkbook && hasMacroSheet(joined, bytes.sizeBytes)) return 'office-macros'
    const text = joined.toString('latin1')
    if (startingField.test(text)) return 'office-embeds'
    if (isWorkbook && asking.test(text)) return 'office-remote'
    carried = joined.subarray(-carriedBytes)
  }
  return null
}

/**
 * Macros of before 1997 are a sheet, and need no project of macros. Excel ignores the upper bits of the state and the flags of the name.
 * The position of the sheet, which lies inside the file, tells its entry from the numbers of a cell.
 */
function hasMacroSheet(content: Buffer, sizeBytes: number): boolean {
  let at = content.indexOf(sheetMark)
  for (; at !== -1 && at + sheetBytes <= content.length; at = content.indexOf(sheetMark, at + 1)) {
    const [state = 0, kind, chars = 0] = content.subarray(at + 8, at + sheetBytes)
    const recordBytes = content.readUInt16LE(at + 2)
    const isEntry = recordBytes >= 8 && recordBytes <= 8 + 2 * 31 && (state & 3) <= 2
    const isInside = content.readUInt32LE(at + 4) < sizeBytes
    if (isEntry && isInside && kind === 1 && chars >= 1 && chars <= 31) return true
  }
  return false
}

/** The kind of document; the directory also names an embedded sheet, so the file's own extension is checked first. */
export async function compoundKind(bytes: FileBytes, extension: string): Promise<string | null> {
  if (bytes.sizeBytes < 1_536) return null
  const kinds = Object.entries(mainStreams).toSorted(([one]) => (one === extension ? -1 : 1))
  for (const [kind, names] of kinds) if (await hasStream(bytes, names)) return kind
  for (const [kind, name] of Object.entries(others)) if (await hasStream(bytes, [name])) return kind
  return null
}

async function hasStream(bytes: FileBytes, names: readonly string[]): Promise<boolean> {
  for (const name of names) if ((await find(bytes, wide(name))) !== -1) return true
  return false
}
