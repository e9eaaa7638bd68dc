/** Decodes a PDF text string: Latin letters, or UTF-16 after a byte order mark. */
export function textOf(raw: string): string {
  const bytes = Buffer.from(raw, 'latin1')
  if (raw.startsWith('\xfe\xff'))
    return bytes
      .subarray(2, bytes.length - (bytes.length % 2))
      .swap16()
      .toString('utf16le')
  if (raw.startsWith('\xef\xbb\xbf')) return bytes.toString('utf8', 3)
  return raw
}

const literal = String.raw`\s*(?:-?\d+(?:\.\d+)?|true|false|"[^"\\]*"|'[^'\\]*')\s*`
const literals = `${literal}(?:,${literal})*`
const argument = String.raw`(?:${literal}|\s*(?:new Array\s*\((?:${literals})?\)|\[(?:${literals})?\])\s*)`
const name =
  'AF(?:Date_Format|Date_FormatEx|Date_Keystroke|Date_KeystrokeEx|Time_Format|Time_FormatEx|Time_Keystroke|Time_KeystrokeEx|' +
  'Number_Format|Number_Keystroke|Percent_Format|Percent_Keystroke|Special_Format|Special_Keystroke|Special_KeystrokeEx|' +
  'Range_Validate|Simple_Calculate)'
const calls = new RegExp(String.raw`^\s*(?:${name}\s*\((?:${argument}(?:,${argument})*)?\)\s*(?:;\s*)?)+$`)
const charsMax = 1_000

/**
 * A form script that only formats a date or a number: calls of the viewer's own format functions with constant arguments. Our own
 * viewer runs no scripts.
 */
export function isFormatScript(raw: string): boolean {
  if (raw.length > charsMax) return false
  return calls.test(textOf(raw).replace(/\s+/g, ' '))
}
