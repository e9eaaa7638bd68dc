import { type FileBytes, find } from '../file-bytes.ts'

/** The compound file format of old office files, judged by the names in its directory (UTF-16). */
const compoundSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const wide = (name: string): Buffer => Buffer.from(name, 'utf16le')
const mainStreams = { doc: ['WordDocument'], xls: ['Workbook', 'Book'] } as const
const others = { ppt: 'PowerPoint Document', msg: '__substg1.0_' } as const

export type CompoundProblem = 'office-macros' | 'office-embeds' | 'office-protected'
const active = {
  _VBA_PROJECT: 'office-macros',
  Ole10Native: 'office-embeds',
  EncryptedPackage: 'office-protected',
} as const

export const isCompound = (head: Buffer): boolean => head.subarray(0, 8).equals(compoundSignature)

/** Finds what no file may contain: macros, embedded programs and encrypted content. */
export async function compoundProblem(bytes: FileBytes): Promise<CompoundProblem | null> {
  for (const [name, problem] of Object.entries(active)) if ((await find(bytes, wide(name))) !== -1) return problem
  return null
}

/** The kind of document; the directory also names an embedded sheet, so the file's own extension is checked first. */
export async function compoundKind(bytes: FileBytes, extension: string): Promise<string | null> {
  if (bytes.sizeBytes < 1_536) return null
  const kinds = Object.entries(mainStreams).toSorted(([one]) => (one === extension ? -1 : 1))
  for (const [kind, names] of kinds) for (const name of names) if ((await find(bytes, wide(name))) !== -1) return kind
  for (const [kind, name] of Object.entries(others)) if ((await find(bytes, wide(name))) !== -1) return kind
  return null
}
