/** Direction marks and invisible characters, with which `fdp.exe` can look like `exe.pdf`. */
const hiddenMarks = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\ufeff\u00ad]/g
const controls = /\p{Cc}/gu
const charsMax = 255

/**
 * The owner's file name without parts that could mislead a reader or a file system: no folders, control or direction marks, or lone
 * surrogates; at most 255 characters before the extension.
 */
export function cleanFileName(raw: string): string {
  const last = raw.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const shown = last
    .replace(controls, '')
    .replace(hiddenMarks, '')
    .trim()
    .replace(/(?<![. ])[. ]+$/, '')
  const extension = extensionOf(shown)
  const suffix = extension === '' ? '' : `.${shown.slice(shown.lastIndexOf('.') + 1)}`
  const stem = shown.slice(0, shown.length - suffix.length)
  const room = charsMax - suffix.length
  return `${cutWhole(stem, room) || 'file'}${suffix}`
}

/** The part after the last dot in lower case; empty without a plausible extension. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** The name with the extension of the content; a matching extension keeps its spelling. */
export function namedAs(name: string, extension: string): string {
  const said = extensionOf(name)
  if (said === extension || (said === 'jpeg' && extension === 'jpg')) return name
  return cleanFileName(`${name.slice(0, name.lastIndexOf('.'))}.${extension}`)
}

/** Never splits a character. */
function cutWhole(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : text.slice(0, unitsMax).replace(/[\ud800-\udbff]$/, '')
}

/** RFC 6266 with RFC 5987: an ASCII name for old clients and the exact name; neither can end the header. */
export function attachmentHeader(name: string): string {
  const ascii = name.replace(/[^A-Za-z0-9 ._()-]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}
