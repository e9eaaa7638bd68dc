/** A mail's content, before branding. */
export type Letter = {
  heading: string
  /** The heading, unless given. */
  subject?: string
  lines: string[]
  action?: { label: string; url: string }
  /** Small print at the end, such as what to do if you did not ask for this. */
  footnote: string
  /** The unsubscribe link. */
  ending?: { words: string; url: string }
}

export type LetterBrand = {
  name: string
  accent: string
  supportEmail: string | null
  address: string
  logo?: string | null
}
export type WrittenLetter = { subject: string; text: string; html: string }

/** Text and HTML of the same mail. Mail programs barely support style sheets, hence tables and inline styles. */
export function writeLetter(brand: LetterBrand, letter: Letter): WrittenLetter {
  const { subject = letter.heading } = letter
  return { subject, text: writeText(brand, letter), html: writeHtml(brand, { ...letter, subject }) }
}

function writeText(brand: LetterBrand, { heading, lines, action, footnote, ending }: Letter): string {
  const parts = [heading, ...lines, ...(action ? [`${action.label}:\n${action.url}`] : []), footnote]
  if (ending) parts.push(`${ending.words}:\n${ending.url}`)
  parts.push(signature(brand))
  return `${parts.join('\n\n')}\n`
}

function signature({ name, supportEmail, address }: LetterBrand): string {
  return [name, ...(supportEmail ? [supportEmail] : []), address].join('\n')
}

/** Applied to every value in the HTML. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (found) => entities[found] ?? found)
}

/** Black or white, whichever is easier to read on the brand's colour (relative luminance of WCAG). */
function inkOn(accent: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}

const defaultAccent = '#1f6feb'

function writeHtml(brand: LetterBrand, letter: Letter & { subject: string }): string {
  const accent = /^#[0-9a-f]{6}$/i.test(brand.accent) ? brand.accent : defaultAccent
  const paragraph = (line: string) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`
  const footer = [brand.name, brand.supportEmail, brand.address].filter((part) => part !== null)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(letter.subject)}</title>
</head>
<body style="margin:0;background:#f2f4f7;color:#1c2430;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellspacing="0" cellpadding="0" style="width:100%;max-width:560px;background:#ffffff;border-radius:8px;border-top:4px solid ${accent}">
<tr><td style="padding:24px 32px 0;font-weight:600">${writeLogo(brand)}${escapeHtml(brand.name)}</td></tr>
<tr><td style="padding:16px 32px 8px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(letter.heading)}</h1>
${letter.lines.map(paragraph).join('\n')}
${letter.action ? writeAction(letter.action, accent) : ''}
</td></tr>
<tr><td style="padding:16px 32px 24px;border-top:1px solid #e4e8ee;color:#4a5568;font-size:14px">
<p style="margin:0 0 12px">${escapeHtml(letter.footnote)}</p>
<p style="margin:0">${footer.map(escapeHtml).join('<br>')}</p>
${letter.ending ? writeEnding(letter.ending) : ''}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function writeEnding({ words, url }: { words: string; url: string }): string {
  return `<p style="margin:12px 0 0"><a href="${escapeHtml(url)}" style="color:#4a5568">${escapeHtml(words)}</a></p>`
}

/** Has no alternative text: the name beside it stays visible where pictures are blocked. */
function writeLogo({ logo }: LetterBrand): string {
  if (!logo) return ''
  return `<img src="${escapeHtml(logo)}" alt="" height="28" style="height:28px;width:auto;vertical-align:middle;margin-right:10px">`
}

/** Repeats the URL below the button: some mail programs break buttons, and readers can check where the link leads. */
function writeAction({ label, url }: { label: string; url: string }, accent: string): string {
  const href = escapeHtml(url)
  const button = `display:inline-block;padding:12px 20px;border-radius:6px;background:${accent};color:${inkOn(accent)};text-decoration:none;font-weight:600`
  return `<p style="margin:0 0 16px"><a href="${href}" style="${button}">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#4a5568;word-break:break-all">${href}</p>`
}
