import { type FileBytes, windowsOf } from '../file-bytes.ts'
import { makeTextSearch } from './plain-text.ts'

const markup = /<\s*(script|html|svg|iframe|body|!doctype|\?php)/i
const otherFiles = ['PK\u0003\u0004', 'MZ', '\u007fELF', '#!', '%PDF', 'Rar!', '7z\xbc\xaf', '\xca\xfe\xba\xbe', '<?']

/**
 * Phones append data to a picture: a second picture, a short film, notes or padding. All of it is cut away, unless it is another file
 * that a program would open: such a file was made ambiguous on purpose.
 */
export async function hasTrailingFile(bytes: FileBytes, from: number): Promise<boolean> {
  const start = (await bytes.read(from, 64)).toString('latin1').trimStart()
  if (otherFiles.some((mark) => start.startsWith(mark))) return true
  const hasMarkup = makeTextSearch({ pattern: markup, mark: '<' })
  for await (const { content, isLast } of windowsOf(bytes, from, bytes.sizeBytes))
    if (hasMarkup(content.toString('latin1'), isLast)) return true
  return false
}
