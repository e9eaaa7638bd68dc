import { contrast, type Oklch, toHex, toOklch } from './colour.ts'

/** The minimum of WCAG AA for text. */
const textContrast = 4.5

export type Accent = {
  fill: string
  fillHover: string
  onFill: string
  text: string
  soft: string
  line: string
}

type Context = { canvas: string; surface: string; soft: number; line: number; chroma: number; step: number }

export const contexts = {
  light: { canvas: '#f6f7f9', surface: '#ffffff', soft: 0.96, line: 0.88, chroma: 1, step: -0.005 },
  dark: { canvas: '#0c0f14', surface: '#141820', soft: 0.26, line: 0.38, chroma: 0.82, step: 0.005 },
} as const satisfies Record<string, Context>

const darkInk = '#0c0f14'
const lightInk = '#ffffff'

function inkOn(fill: string): string {
  return contrast(fill, lightInk) >= contrast(fill, darkInk) ? lightInk : darkInk
}

/** Changes the lightness until the test holds; it always holds at black or white. */
function walk(colour: Oklch, step: number, holds: (hex: string) => boolean): string {
  let { lightness } = colour
  while (lightness >= 0 && lightness <= 1 && !holds(toHex({ ...colour, lightness }))) lightness += step
  return toHex({ ...colour, lightness: Math.min(1, Math.max(0, lightness)) })
}

/**
 * Derives every accent colour for one colour scheme from the workspace's brand colour. The hue is preserved; the
 * lightness changes wherever text on it, or in it, would be illegible.
 */
export function accentOf(brand: string, scheme: keyof typeof contexts): Accent {
  const context: Context = contexts[scheme]
  const base = toOklch(brand)
  const colour = { ...base, chroma: base.chroma * context.chroma }
  const lifted = scheme === 'dark' ? { ...colour, lightness: Math.max(colour.lightness, 0.55) } : colour
  // White text is preferred on mid-tones, where both colours are legible: users expect it on a button.
  const wantsWhite = contrast(toHex(lifted), lightInk) > 3
  const fill = walk(
    lifted,
    wantsWhite ? -0.005 : 0.005,
    (hex) => contrast(hex, wantsWhite ? lightInk : inkOn(hex)) >= textContrast,
  )
  const away = inkOn(fill) === lightInk ? -0.05 : 0.05
  const fillColour = toOklch(fill)
  return {
    fill,
    fillHover: toHex({ ...fillColour, lightness: Math.min(0.97, Math.max(0.12, fillColour.lightness + away)) }),
    onFill: inkOn(fill),
    text: walk(colour, context.step, (hex) => {
      const soft = toHex({ ...colour, lightness: context.soft, chroma: Math.min(colour.chroma, 0.022) })
      return [context.canvas, context.surface, soft].every((behind) => contrast(hex, behind) >= textContrast)
    }),
    soft: toHex({ ...colour, lightness: context.soft, chroma: Math.min(colour.chroma, 0.022) }),
    line: toHex({ ...colour, lightness: context.line, chroma: Math.min(colour.chroma, 0.08) }),
  }
}

/** Ten even shades for Mantine, from near white to near black. */
export function shadesOf(brand: string): [string, string, ...string[]] {
  const { chroma, hue } = toOklch(brand)
  const lightnesses = [0.97, 0.93, 0.87, 0.79, 0.71, 0.63, 0.55, 0.48, 0.4, 0.32]
  const shades = lightnesses.map((lightness) =>
    toHex({ lightness, hue, chroma: chroma * Math.min(1, 0.15 + 2.2 * (1 - lightness)) }),
  )
  return shades as [string, string, ...string[]]
}
