import { fileTexts } from './texts.ts'

type Group = 'picture' | 'document' | 'archive' | 'other'

const kind = (group: Group, is: string, ...names: string[]) => names.map((name) => [name, { is, group }] as const)

/** Names of unsupported kinds by detected content or extension, and of kinds that only some purposes allow. */
const kinds: ReadonlyMap<string, { is: string; group: Group }> = new Map([
  ...kind('picture', 'a HEIC picture', 'heic', 'heif', 'heics'),
  ...kind('picture', 'an AVIF picture', 'avif'),
  ...kind('picture', 'a WebP picture', 'webp'),
  ...kind('picture', 'a GIF picture', 'gif'),
  ...kind('picture', 'a TIFF picture', 'tif', 'tiff'),
  ...kind('picture', 'a BMP picture', 'bmp'),
  ...kind('picture', 'a JPEG XL picture', 'jxl'),
  ...kind('picture', 'a JPEG 2000 picture', 'jp2', 'jpx', 'j2k', 'jpm'),
  ...kind('picture', 'an icon', 'ico', 'icns'),
  ...kind('picture', 'a Photoshop picture', 'psd'),
  ...kind('picture', 'a raw camera picture', 'dng', 'cr2', 'cr3', 'nef', 'arw', 'orf', 'rw2', 'raf'),
  ...kind('picture', 'an SVG drawing', 'svg'),
  ...kind('picture', 'a PNG picture', 'png', 'apng'),
  ...kind('picture', 'a JPEG picture', 'jpg', 'jpeg'),
  ...kind('document', 'a PDF', 'pdf'),
  ...kind('document', 'a Word document', 'docx', 'doc'),
  ...kind('document', 'an Excel spreadsheet', 'xlsx', 'xls'),
  ...kind('document', 'a PowerPoint presentation', 'pptx', 'ppt'),
  ...kind('document', 'an OpenDocument text document', 'odt'),
  ...kind('document', 'an OpenDocument spreadsheet', 'ods'),
  ...kind('document', 'an OpenDocument presentation', 'odp'),
  ...kind('document', 'an Apple Pages, Numbers or Keynote document', 'pages', 'numbers', 'key', 'keynote'),
  ...kind('document', 'a rich text document', 'rtf'),
  ...kind('document', 'an XPS document', 'xps', 'oxps'),
  ...kind('document', 'a PostScript file', 'ps', 'eps'),
  ...kind('document', 'a web page', 'html', 'htm', 'mht', 'mhtml'),
  ...kind('document', 'an email', 'eml', 'msg'),
  ...kind('document', 'an XML file', 'xml'),
  ...kind('document', 'a text file', 'txt', 'csv'),
  ...kind('archive', 'a ZIP archive', 'zip'),
  ...kind('archive', 'a RAR archive', 'rar'),
  ...kind('archive', 'a 7-Zip archive', '7z'),
  ...kind('archive', 'an archive', 'gz', 'tar', 'bz2', 'xz', 'zst'),
  ...kind('other', 'a video', 'mp4', 'm4v', '3gp', 'mov', 'webm', 'mkv', 'avi'),
  ...kind('other', 'an audio file', 'm4a', 'mp3', 'wav', 'ogg', 'opus', 'aac', 'amr', 'flac'),
  ...kind(
    'other',
    'a program',
    'exe',
    'elf',
    'macho',
    'msi',
    'apk',
    'dmg',
    'class',
    'jar',
    'bat',
    'cmd',
    'sh',
    'js',
    'scr',
  ),
])

/** Each begins with the text of the specification. */
export const kindTexts = {
  fileOther: 'Only the following file types are allowed: {{types}}. This is {{kind}}.',
  filePicture:
    'Only the following file types are allowed: {{types}}. This is {{kind}}. Save it as JPEG or PNG and upload that file.',
  fileDocument:
    'Only the following file types are allowed: {{types}}. This is {{kind}}. Save it as PDF and upload that file.',
  fileArchive:
    'Only the following file types are allowed: {{types}}. This is {{kind}}. Extract it and upload the file inside.',
} as const

/** Advice for kinds that can be converted to an allowed one. */
const advices = {
  picture: { text: kindTexts.filePicture, needs: 'png' },
  document: { text: kindTexts.fileDocument, needs: 'pdf' },
  archive: { text: kindTexts.fileArchive, needs: 'pdf' },
}

/** The reason for refusing a file of another kind, with advice. */
export function refusedKind(found: string | null, extensions: readonly string[]) {
  const types = extensions.join(', ')
  const known = found === null ? undefined : kinds.get(found)
  if (!known) return { text: fileTexts.fileTypes, values: { types } }
  const { is, group } = known
  const advice = group === 'other' ? null : advices[group]
  const text = advice && extensions.includes(advice.needs) ? advice.text : kindTexts.fileOther
  return { text, values: { kind: is, types } }
}
