/** A disc with the coin's letters: needs no trademarked logo and no request to another host. */
export function coinPicture(code: string): string {
  const [name = ''] = code.split('.')
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7)
  const letters = name.slice(0, 4)
  const size = letters.length > 3 ? 9 : 11
  const disc = `<circle cx="16" cy="16" r="16" fill="hsl(${hue} 45% 38%)"/>`
  const text = `<text x="16" y="20" text-anchor="middle" font-family="sans-serif" font-weight="600" font-size="${size}" fill="#fff">${letters}</text>`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${disc}${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}
