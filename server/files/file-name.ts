/** Marks that turn the reading direction, and ones that show nothing: with them `fdp.exe` can pass for `exe.pdf`. */
const hiddenMarks = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\ufeff\u00ad]/g
const controls = /\p{Cc}/gu
const charsMax = 255

/**
 * A name as its owner gave it, without what could mislead a reader or a file system: no folders, control or direction
 * marks, no lone surrogates; cut to 255 characters before the extension.
 */
export function cleanFileName(raw: string): string {
  const last = raw.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const shown = last
    .replace(controls, '')
    .replace(hiddenMarks, '')
    .trim()
    .replace(/[. ]+$/, '')
  const extension = extensionOf(shown)
  const suffix = extension === '' ? '' : `.${shown.slice(shown.lastIndexOf('.') + 1)}`
  const stem = shown.slice(0, shown.length - suffix.length)
  const room = charsMax - suffix.length
  return `${cutWhole(stem, room) || 'file'}${suffix}`
}

/** What stands after the last point, in lower case; empty when there is none worth the name. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** The name with the extension of what the file is; one that says so already stays as it was spelled. */
export function namedAs(name: string, extension: string): string {
  const said = extensionOf(name)
  if (said === extension || (said === 'jpeg' && extension === 'jpg')) return name
  return cleanFileName(`${name.slice(0, name.lastIndexOf('.'))}.${extension}`)
}

/** Never through the middle of a character. */
function cutWhole(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : text.slice(0, unitsMax).replace(/[\ud800-\udbff]$/, '')
}

/** RFC 6266 with RFC 5987: the plain form for old readers, the exact name beside it; nothing of it can end the header. */
export function attachmentHeader(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9 ._()-]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
