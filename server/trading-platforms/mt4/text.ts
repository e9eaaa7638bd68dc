/** The platform stores one byte per character, in a code page that differs between servers. ASCII is in all of them. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  і: 'i',
  є: 'ye',
  ґ: 'g',
  ђ: 'dj',
  ј: 'j',
  љ: 'lj',
  њ: 'nj',
  ћ: 'c',
  џ: 'dz',
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
}

function asciiLetter(letter: string): string {
  if (letter >= ' ' && letter <= '~') return letter
  const lower = letter.toLowerCase()
  const ascii = letters[lower]
  if (ascii === undefined) return letter < ' ' ? ' ' : '?'
  return lower === letter ? ascii : ascii.charAt(0).toUpperCase() + ascii.slice(1)
}

/** Personal texts in ASCII, on one line, cut to the platform's limit. Undefined if nothing is left. */
export function asciiText(text: string | undefined, charsMax: number): string | undefined {
  const bare = (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '')
  const ascii = [...bare].map(asciiLetter).join('').trim().slice(0, charsMax).trim()
  return ascii === '' ? undefined : ascii
}

export function isAscii(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text)
}
