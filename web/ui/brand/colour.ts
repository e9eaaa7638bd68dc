/** Colour arithmetic in OKLCH, which is perceptually uniform: a brand's shades are even for any hue. */

type Rgb = [red: number, green: number, blue: number]
export type Oklch = { lightness: number; chroma: number; hue: number }

function readHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const fromLinear = (channel: number) => (channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055)

export function toOklch(hex: string): Oklch {
  const [r, g, b] = readHex(hex).map(toLinear) as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bee = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return { lightness, chroma: Math.hypot(a, bee), hue: Math.atan2(bee, a) }
}

function toLinearRgb({ lightness, chroma, hue }: Oklch): Rgb {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const isShown = (rgb: Rgb) => rgb.every((channel) => channel > -0.0005 && channel < 1.0005)

/** The nearest colour in the sRGB gamut: lightness and hue are preserved, chroma is reduced. */
export function toHex(colour: Oklch): string {
  let chroma = colour.chroma
  while (chroma > 0 && !isShown(toLinearRgb({ ...colour, chroma }))) chroma = Math.max(0, chroma - 0.004)
  const channels = toLinearRgb({ ...colour, chroma }).map((channel) => {
    const byte = Math.round(fromLinear(Math.min(1, Math.max(0, channel))) * 255)
    return byte.toString(16).padStart(2, '0')
  })
  return `#${channels.join('')}`
}

function luminance(hex: string): number {
  const [r, g, b] = readHex(hex).map(toLinear) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(left: string, right: string): number {
  const [darker, lighter] = [luminance(left), luminance(right)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}
